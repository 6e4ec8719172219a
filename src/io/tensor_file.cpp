// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <zlib.h>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they are");

constexpr uint64_t kLengthBytes = 8;

[[noreturn]] void bad_file(const std::string& source, const std::string& what,
                           const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, source + ": " + what, hint);
}

std::string_view bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::span<char> writable_bytes_of(std::vector<float>& values) {
  return {reinterpret_cast<char*>(values.data()), values.size() * sizeof(float)};
}

// Over the subject, and the name and values of each tensor in order: all that matters.
class Checksum {
 public:
  explicit Checksum(std::string_view subject) { add(subject); }
  void add(std::string_view name, const std::vector<float>& values) {
    add(name);
    add(bytes_of(values));
  }
  uint32_t value() const { return static_cast<uint32_t>(value_); }

 private:
  void add(std::string_view bytes) {
    value_ = ::crc32_z(value_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  }
  uLong value_ = ::crc32_z(0, nullptr, 0);
};

TensorHeader header_of(const std::string& subject, const std::vector<NamedTensor>& tensors) {
  TensorHeader header{.subject = subject, .tensors = {}};
  Checksum checksum(subject);
  uint64_t position = 0;
  for (const auto& [name, tensor] : tensors) {
    const uint64_t end = position + bytes_of(tensor->values).size();
    header.tensors.push_back({name, tensor->shape, position, end});
    checksum.add(name, tensor->values);
    position = end;
  }
  header.checksum = checksum.value();
  return header;
}

std::string length_bytes(uint64_t length) {
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes;
}

std::string read_header_text(const TensorFileKind& kind, ByteSource& source) {
  if (source.size() < kLengthBytes) {
    bad_file(source.name(), fmt::format("too short for {}", kind.noun));
  }
  std::string bytes(kLengthBytes, '\0');
  source.read(0, bytes);
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLongestTensorHeader) {
    bad_file(source.name(), fmt::format("not {}: a header of {} bytes", kind.noun, length));
  }
  if (length > source.size() - kLengthBytes) {
    bad_file(source.name(), "ends within its header", "the file was cut off");
  }
  std::string text(length, '\0');
  source.read(kLengthBytes, text);
  return text;
}

}  // namespace

void write_tensor_file(const TensorFileKind& kind, const std::string& subject,
                       std::vector<NamedTensor> tensors,
                       const std::function<void(std::string_view)>& write) {
  std::ranges::sort(tensors, {}, &NamedTensor::name);
  const std::string header = tensor_header_text(kind, header_of(subject, tensors));
  ESPALIER_CHECK(header.size() <= kLongestTensorHeader);
  write(length_bytes(header.size()));
  write(header);
  for (const NamedTensor& named : tensors) write(bytes_of(named.tensor->values));
}

TensorFileReader::TensorFileReader(const TensorFileKind& kind, ByteSource& source)
    : source_(source) {
  const std::string text = read_header_text(kind, source);
  data_begin_ = kLengthBytes + text.size();
  header_ = read_tensor_header(kind, text, data_size(), source.name());
}

Tensor TensorFileReader::read_tensor(const TensorEntry& entry) {
  Tensor tensor{entry.shape, std::vector<float>((entry.end - entry.begin) / sizeof(float))};
  source_.read(data_begin_ + entry.begin, writable_bytes_of(tensor.values));
  return tensor;
}

void TensorFileReader::read_each(
    const std::function<void(const std::string& name, Tensor tensor)>& use) {
  Checksum checksum(header_.subject);
  for (const TensorEntry& entry : header_.tensors) {
    Tensor tensor = read_tensor(entry);
    checksum.add(entry.name, tensor.values);
    use(entry.name, std::move(tensor));
  }
  if (checksum.value() != header_.checksum) {
    bad_file(source_.name(), "damaged: its checksum is wrong", "take another copy of the file");
  }
}

Tensors TensorFileReader::read() {
  Tensors tensors;
  read_each(
      [&](const std::string& name, Tensor tensor) { tensors.emplace(name, std::move(tensor)); });
  return tensors;
}

}  // namespace espalier
