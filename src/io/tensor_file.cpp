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
constexpr uint64_t kValuesAtOnce = uint64_t{1} << 16U;  // they stay in the cache

[[noreturn]] void bad_file(const std::string& source, const std::string& what,
                           const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, source + ": " + what, hint);
}

std::string_view bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::span<char> writable_bytes_of(std::span<float> values) {
  return {reinterpret_cast<char*>(values.data()), values.size_bytes()};
}

// Over the subject, and the name and values of each tensor in order: all that matters.
uint32_t continued(uint32_t checksum, std::string_view bytes) {
  return static_cast<uint32_t>(
      ::crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

uint32_t continued(uint32_t checksum, std::string_view name, std::span<const float> values) {
  return continued(continued(checksum, name), bytes_of(values));
}

TensorHeader header_of(const std::string& subject, const std::vector<NamedTensor>& tensors) {
  TensorHeader header{.subject = subject, .tensors = {}};
  header.checksum = continued(0, subject);
  uint64_t position = 0;
  for (const auto& [name, tensor] : tensors) {
    const uint64_t end = position + bytes_of(tensor->values).size();
    header.tensors.push_back({name, tensor->shape, position, end});
    header.checksum = continued(header.checksum, name, tensor->values);
    position = end;
  }
  return header;
}

std::string length_bytes(uint64_t length) {
  std::string bytes(kLengthBytes, '\0');
  std::memcpy(bytes.data(), &length, kLengthBytes);
  return bytes;
}

std::string front_text(const TensorFileKind& kind, const TensorHeader& header) {
  const std::string text = tensor_header_text(kind, header);
  ESPALIER_CHECK(text.size() <= kLongestTensorHeader);
  return length_bytes(text.size()) + text;
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
    bad_file(source.name(), fmt::format("not {}: a header of {} bytes", kind.noun, length),
             "it does not begin like one; is this the right file?");
  }
  if (length > source.size() - kLengthBytes) {
    bad_file(source.name(), "ends within its header", "the file was cut off");
  }
  std::string text(length, '\0');
  source.read(kLengthBytes, text);
  return text;
}

}  // namespace

TensorFileFront::TensorFileFront(const TensorFileKind& kind, std::string subject,
                                 const std::map<std::string, std::vector<int64_t>>& shapes)
    : kind_(kind), header_{.subject = std::move(subject), .tensors = {}} {
  header_.checksum = continued(0, header_.subject);
  uint64_t position = 0;
  for (const auto& [name, shape] : shapes) {
    uint64_t end = position + sizeof(float);
    for (const int64_t size : shape)
      end = position + (end - position) * static_cast<uint64_t>(size);
    header_.tensors.push_back({name, shape, position, end});
    position = end;
  }
}

void TensorFileFront::begin(const TensorEntry& entry) {
  header_.checksum = continued(header_.checksum, entry.name);
}

void TensorFileFront::add(std::span<const float> values) {
  header_.checksum = continued(header_.checksum, bytes_of(values));
}

std::string TensorFileFront::text() const { return front_text(kind_, header_); }

void write_tensor_file(const TensorFileKind& kind, const std::string& subject,
                       std::vector<NamedTensor> tensors,
                       const std::function<void(std::string_view)>& write) {
  std::ranges::sort(tensors, {}, &NamedTensor::name);
  write(front_text(kind, header_of(subject, tensors)));
  for (const NamedTensor& named : tensors) write(bytes_of(named.tensor->values));
}

TensorFileReader::TensorFileReader(const TensorFileKind& kind, ByteSource& source)
    : source_(source) {
  const std::string text = read_header_text(kind, source);
  data_begin_ = kLengthBytes + text.size();
  header_ = read_tensor_header(kind, text, data_size(), source.name());
}

void TensorFileReader::read(const TensorEntry& entry, uint64_t first, std::span<float> values) {
  const uint64_t begin = entry.begin + first * sizeof(float);
  ESPALIER_CHECK(begin <= entry.end && values.size_bytes() <= entry.end - begin);
  source_.read(data_begin_ + begin, writable_bytes_of(values));
}

void TensorFileReader::require_sum(uint32_t checksum) const {
  if (checksum == header_.checksum) return;
  bad_file(source_.name(), "damaged: its checksum is wrong", "take another copy of the file");
}

void TensorFileReader::read_pieces(
    const std::function<void(const std::string& name, std::span<const float> values)>& use) {
  uint32_t checksum = continued(0, header_.subject);
  std::vector<float> values;
  for (const TensorEntry& entry : header_.tensors) {
    checksum = continued(checksum, entry.name);
    const uint64_t count = (entry.end - entry.begin) / sizeof(float);
    for (uint64_t first = 0; first < count; first += values.size()) {
      values.resize(std::min<uint64_t>(kValuesAtOnce, count - first));
      read(entry, first, values);
      checksum = continued(checksum, bytes_of(values));
      use(entry.name, values);
    }
  }
  require_sum(checksum);
}

Tensors TensorFileReader::read() {
  uint32_t checksum = continued(0, header_.subject);
  Tensors tensors;
  for (const TensorEntry& entry : header_.tensors) {
    Tensor tensor{entry.shape, std::vector<float>((entry.end - entry.begin) / sizeof(float))};
    read(entry, 0, tensor.values);
    checksum = continued(checksum, entry.name, tensor.values);
    tensors.emplace(entry.name, std::move(tensor));
  }
  require_sum(checksum);
  return tensors;
}

}  // namespace espalier
