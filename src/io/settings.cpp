// SPDX-License-Identifier: Apache-2.0
#include "io/settings.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "io/wording.h"

namespace espalier {
namespace {

// What a path begins with, and the rest: "run[0].time" → "run" and "[0].time".
struct Stride {
  std::string_view key;              // empty for a position
  std::optional<std::size_t> index;  // "[0]"
  std::string_view rest;
};

std::optional<Stride> index_stride(std::string_view path) {
  std::size_t index = 0;
  const char* end = path.data() + path.size();
  const auto number = std::from_chars(path.data() + 1, end, index);
  const bool is_index = number.ec == std::errc() && number.ptr != end && *number.ptr == ']';
  if (!is_index) return std::nullopt;
  return Stride{{}, index, path.substr(static_cast<std::size_t>(number.ptr - path.data()) + 1)};
}

// Names may have dots, so a key that the map has goes before a shorter one.
std::size_t key_length(std::string_view path, const Node& map) {
  std::size_t longest = path.find_first_of(".[");
  for (const Entry& entry : map.entries) {
    const std::size_t length = entry.key.size();
    const bool fits = path.starts_with(entry.key) &&
                      (length == path.size() || path[length] == '.' || path[length] == '[');
    if (fits && length > longest) longest = length;
  }
  return std::min(longest, path.size());
}

// Nothing if the path is malformed.
std::optional<Stride> next_stride(std::string_view path, const Node& node) {
  if (path.starts_with('[')) return index_stride(path);
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::size_t length = key_length(path, node);
  if (length == 0) return std::nullopt;
  return Stride{path.substr(0, length), std::nullopt, path.substr(length)};
}

class Editor {
 public:
  Editor(const Setting& setting, int source, Report& report)
      : setting_(setting), source_(source), report_(report) {}

  void apply(Node& root) {
    auto value = parse_document(setting_.value, source_);
    if (const auto* fault = std::get_if<DocumentFault>(&value))
      return complain(fault->what, fault->hint);
    Node* target = &root;
    for (std::string_view path = setting_.key;
         target != nullptr && (!path.empty() || target == &root);) {
      const auto stride = next_stride(path, *target);
      if (!stride)
        return complain("not a path", "write, for example, goal.loss=0.2 or run[0].time=2");
      target = stride->index ? item(*target, *stride->index) : value_of(*target, stride->key);
      path = stride->rest;
    }
    if (target != nullptr) *target = std::move(std::get<Node>(value));
  }

 private:
  void complain(std::string what, std::string hint) {
    report_.error({source_}, "", std::move(what), std::move(hint));
  }

  Node* item(Node& list, std::size_t index) {
    if (list.kind != Node::Kind::List) {
      complain(fmt::format("[{}] asks for an item of what is not a list", index),
               "use names and dots");
      return nullptr;
    }
    if (index < list.items.size()) return &list.items[index];
    complain(fmt::format("[{}] is past the end of the list, which has {} items", index,
                         list.items.size()),
             "positions begin with [0]");
    return nullptr;
  }

  Node* value_of(Node& map, std::string_view key) {
    if (map.kind == Node::Kind::Null) map = {.kind = Node::Kind::Map, .mark = {source_}};
    if (map.kind != Node::Kind::Map) {
      const bool is_list = map.kind == Node::Kind::List;
      complain(fmt::format("'{}' asks for a key of what is {}", shown(key),
                           is_list ? "a list" : "a single value"),
               is_list ? "give the position first: run[0].time" : "leave it out");
      return nullptr;
    }
    if (Node* value = map.find(key)) return value;
    map.entries.push_back({std::string(key), {source_}, {.mark = {source_}}});
    return &map.entries.back().value;
  }

  const Setting& setting_;
  const int source_;
  Report& report_;
};

}  // namespace

void apply_settings(Node& root, std::span<const Setting> settings, Report& report) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    Editor(settings[i], static_cast<int>(i) + 1, report).apply(root);
  }
}

std::vector<std::string> source_names(const std::string& file, std::span<const Setting> settings) {
  std::vector<std::string> names{file};
  for (const Setting& setting : settings) names.push_back("--set " + shown(setting.key));
  return names;
}

Mark mark_of(const Node& root, std::string_view path) {
  Mark mark = root.mark;
  for (const Node* node = &root; !path.empty();) {
    const auto stride = next_stride(path, *node);
    if (!stride) break;
    const bool has_item = stride->index && *stride->index < node->items.size();
    node = stride->index ? (has_item ? &node->items[*stride->index] : nullptr)
                         : node->find(stride->key);
    if (node == nullptr) break;
    mark = node->mark;
    path = stride->rest;
  }
  return mark;
}

}  // namespace espalier
