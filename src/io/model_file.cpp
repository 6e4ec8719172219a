// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <vector>
#include <zlib.h>

#include <fmt/format.h>

#include "core/error.h"
#include "io/architecture_json.h"
#include "io/byte_source.h"
#include "io/durable_file.h"
#include "io/model_header.h"
#include "networks/cost.h"
#include "networks/validation.h"

namespace espalier {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they are");

constexpr const char* kMomentum = "momentum/";
constexpr uint64_t kLengthBytes = 8;

[[noreturn]] void bad_model(const std::string& source, const std::string& what,
                            const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, source + ": " + what, hint);
}

std::string_view bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::span<char> writable_bytes_of(std::vector<float>& values) {
  return {reinterpret_cast<char*>(values.data()), values.size() * sizeof(float)};
}

// Over the architecture, and the name and values of each tensor in order: all that matters.
class Checksum {
 public:
  explicit Checksum(std::string_view architecture) { add(architecture); }
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

struct NamedTensor {
  std::string name;
  const Tensor* tensor;
};

std::vector<NamedTensor> sorted_tensors(const Network& network) {
  std::vector<NamedTensor> all;
  for (const auto& [name, tensor] : network.weights) all.push_back({name, &tensor});
  for (const auto& [name, tensor] : network.momentum) all.push_back({kMomentum + name, &tensor});
  std::ranges::sort(all, {}, &NamedTensor::name);
  return all;
}

ModelHeader header_of(const Network& network, const std::vector<NamedTensor>& tensors) {
  ModelHeader header{.architecture = to_json(network.architecture), .tensors = {}};
  Checksum checksum(header.architecture);
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

// Hands the file to `write`, piece by piece.
template <class Write>
void write_model(const Network& network, const Write& write) {
  validate(network);
  const std::vector<NamedTensor> tensors = sorted_tensors(network);
  const std::string header = model_header_text(header_of(network, tensors));
  ESPALIER_CHECK(header.size() <= kLongestModelHeader);
  write(length_bytes(header.size()));
  write(header);
  for (const NamedTensor& named : tensors) write(bytes_of(named.tensor->values));
}

std::string read_header_text(ByteSource& source) {
  if (source.size() < kLengthBytes) bad_model(source.name(), "too short for a model");
  std::string bytes(kLengthBytes, '\0');
  source.read(0, bytes);
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLongestModelHeader) {
    bad_model(source.name(), fmt::format("not a model: a header of {} bytes", length));
  }
  if (length > source.size() - kLengthBytes) {
    bad_model(source.name(), "ends within its header", "the file was cut off");
  }
  std::string text(length, '\0');
  source.read(kLengthBytes, text);
  return text;
}

Tensor read_tensor(ByteSource& source, uint64_t data_begin, const TensorEntry& entry) {
  Tensor tensor{entry.shape, std::vector<float>((entry.end - entry.begin) / sizeof(float))};
  source.read(data_begin + entry.begin, writable_bytes_of(tensor.values));
  return tensor;
}

void place_tensor(Network& network, std::string_view name, Tensor tensor) {
  const std::string_view prefix(kMomentum);
  const bool is_momentum = name.starts_with(prefix);
  Tensors& tensors = is_momentum ? network.momentum : network.weights;
  tensors.emplace(is_momentum ? name.substr(prefix.size()) : name, std::move(tensor));
}

void validate_from(const Network& network, const std::string& source) {
  try {
    validate(network);
  } catch (const Error& error) {
    bad_model(source, error.what(), error.hint());
  }
}

// Before any of it is in memory. Weights and momentum are at most twice the parameters.
void check_data_size(const Architecture& architecture, uint64_t size, const std::string& source) {
  if (size / 2 <= static_cast<uint64_t>(bytes_of(architecture))) return;
  bad_model(source, fmt::format("{} bytes of tensors, more than the network has", size),
            "weights of another network?");
}

Network read_model(ByteSource& source) {
  const std::string text = read_header_text(source);
  const uint64_t data_begin = kLengthBytes + text.size();
  const ModelHeader header = read_model_header(text, source.size() - data_begin, source.name());
  Network network{architecture_from_json(header.architecture, source.name()), {}, {}};
  check_data_size(network.architecture, source.size() - data_begin, source.name());
  Checksum checksum(header.architecture);
  for (const TensorEntry& entry : header.tensors) {
    Tensor tensor = read_tensor(source, data_begin, entry);
    checksum.add(entry.name, tensor.values);
    place_tensor(network, entry.name, std::move(tensor));
  }
  if (checksum.value() != header.checksum) {
    bad_model(source.name(), "damaged: its checksum is wrong", "take another copy of the file");
  }
  validate_from(network, source.name());
  return network;
}

}  // namespace

std::string model_bytes(const Network& network) {
  std::string bytes;
  write_model(network, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

Network model_from_bytes(std::string_view bytes, const std::string& source) {
  BufferSource buffer(bytes, source);
  return read_model(buffer);
}

void save_model(const Network& network, const std::filesystem::path& path) {
  DurableFile file(path);
  write_model(network, [&](std::string_view piece) { file.write(piece); });
  file.commit();
}

Network load_model(const std::filesystem::path& path) {
  FileSource file(path);
  return read_model(file);
}

}  // namespace espalier
