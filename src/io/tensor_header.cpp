// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_header.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/strict_json.h"

namespace espalier {
namespace {

using nlohmann::json;

constexpr int kHeaderDepth = 3;  // document, tensor, shape
constexpr std::size_t kMostDimensions = 8;
constexpr const char* kMetadata = "__metadata__";

json written(const TensorEntry& entry) {
  return {{"dtype", "F32"}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
}

std::vector<int64_t> read_sizes(const json& value, const JsonPlace& place) {
  if (json_array(value, place).size() > kMostDimensions) place.fail("has too many dimensions");
  std::vector<int64_t> sizes;
  for (const json& size : value) {
    const JsonPlace here = place.item(sizes.size());
    sizes.push_back(json_integer(size, here));
    if (sizes.back() < 0) here.fail("is negative");
  }
  return sizes;
}

// Bytes of a tensor of floats. Fails where that is beyond 64 bits.
uint64_t bytes_of(const std::vector<int64_t>& shape, const JsonPlace& place) {
  uint64_t bytes = sizeof(float);
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes)) {
      place.fail("is too large");
    }
  }
  return bytes;
}

TensorEntry read_entry(const std::string& name, const json& value, const JsonPlace& place) {
  JsonObject object(value, place);
  const std::string type = json_text(object.at("dtype"), object.place("dtype"));
  if (type != "F32") object.place("dtype").fail("is not F32");
  const JsonPlace offsets_place = object.place("data_offsets");
  const auto offsets = read_sizes(object.at("data_offsets"), offsets_place);
  if (offsets.size() != 2 || offsets[0] > offsets[1]) offsets_place.fail("is not [begin, end]");
  TensorEntry entry{name, read_sizes(object.at("shape"), object.place("shape")),
                    static_cast<uint64_t>(offsets[0]), static_cast<uint64_t>(offsets[1])};
  if (bytes_of(entry.shape, object.place("shape")) != entry.end - entry.begin) {
    offsets_place.fail("does not fit the shape");
  }
  object.finish();
  return entry;
}

uint32_t read_checksum(const std::string& text, const JsonPlace& place) {
  uint32_t checksum = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), checksum, 16);
  if (text.size() != 8 || fault != std::errc{} || end != text.data() + text.size()) {
    place.fail("is not eight hexadecimal digits");
  }
  return checksum;
}

// Other programs may have added their own metadata.
void read_metadata(const TensorFileKind& kind, const json& value, const JsonPlace& place,
                   TensorHeader& header) {
  JsonObject metadata(value, place);
  const auto text = [&](const char* key) {
    return json_text(metadata.at(key), metadata.place(key));
  };
  if (text("format") != kind.format) {
    metadata.place("format").fail(fmt::format("is not '{}'", kind.format),
                                  "a file of another program or of a later version");
  }
  header.subject = text(kind.subject);
  header.checksum = read_checksum(text("crc32"), metadata.place("crc32"));
}

void check_layout(const std::vector<TensorEntry>& entries, uint64_t data_size,
                  const JsonPlace& place) {
  uint64_t position = 0;
  for (const TensorEntry& entry : entries) {
    if (entry.begin != position) {
      place.key(entry.name)
          .fail(fmt::format("begins at byte {} instead of {}", entry.begin, position),
                "tensors are sorted by name, without hole or overlap");
    }
    position = entry.end;
  }
  if (position != data_size) {
    place.fail(fmt::format("the tensors need {} bytes, but there are {}", position, data_size),
               position > data_size ? "the file was cut off" : "something was added to the file");
  }
}

}  // namespace

std::string tensor_header_text(const TensorFileKind& kind, const TensorHeader& header) {
  json document = {{kMetadata,
                    {{"format", kind.format},
                     {kind.subject, header.subject},
                     {"crc32", fmt::format("{:08x}", header.checksum)}}}};
  for (const TensorEntry& entry : header.tensors) document[entry.name] = written(entry);
  std::string text = document.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

TensorHeader read_tensor_header(const TensorFileKind& kind, std::string_view text,
                                uint64_t data_size, const std::string& source) {
  const JsonPlace place{source, ""};
  const json document = parse_strict_json(text, source, kHeaderDepth);
  JsonObject object(document, place);
  TensorHeader header;
  read_metadata(kind, object.at(kMetadata), object.place(kMetadata), header);
  for (const auto& [name, value] : document.items()) {
    if (name != kMetadata) header.tensors.push_back(read_entry(name, value, place.key(name)));
  }
  check_layout(header.tensors, data_size, place);
  return header;
}

}  // namespace espalier
