// SPDX-License-Identifier: Apache-2.0
#include "datasets/class_names.h"

#include <algorithm>
#include <set>

#include "datasets/file_bytes.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kMostTextBytes = 1U << 20U;
constexpr std::size_t kLongestName = 64;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line(text.substr(start, end - start));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    start = end + 1;
  }
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

bool is_printable(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

constexpr const char* kHint = "name each class once, in printable text of at most 64 bytes";

}  // namespace

void check_class_name(std::string_view name, std::string_view place) {
  if (name.empty()) refuse(place, "a class without a name", kHint);
  if (name.size() > kLongestName) refuse(place, "a class name longer than 64 bytes", kHint);
  if (!is_printable(name)) {
    refuse(place, "class name '" + std::string(name) + "' is not printable", kHint);
  }
}

std::vector<std::string> parse_class_names(std::string_view text, std::string_view file) {
  std::vector<std::string> names = lines_of(text);
  std::set<std::string> earlier;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string place = std::string(file) + ":" + std::to_string(i + 1);
    check_class_name(names[i], place);
    if (!earlier.insert(names[i]).second) {
      refuse(place, "class '" + names[i] + "' is there already", kHint);
    }
  }
  return names;
}

std::optional<std::vector<std::string>> read_class_names(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Bytes bytes = read_file_bytes(path, kMostTextBytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return parse_class_names(text, path.string());
}

std::optional<std::vector<std::string>> read_class_names(const std::filesystem::path& path,
                                                         std::size_t count) {
  auto names = read_class_names(path);
  if (names && names->size() != count) {
    refuse(path.string(),
           counted(names->size(), "name", "names") + " for " + counted(count, "class", "classes"),
           "write one class name per line, in the order of the labels");
  }
  return names;
}

}  // namespace espalier
