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
std::size_t key_length(std::string_view path, const DocumentNode& map) {
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
std::optional<Stride> next_stride(std::string_view path, const DocumentNode& node) {
  if (path.starts_with('[')) return index_stride(path);
  if (path.starts_with('.')) path.remove_prefix(1);
  const std::size_t length = key_length(path, node);
  if (length == 0) return std::nullopt;
  return Stride{path.substr(0, length), std::nullopt, path.substr(length)};
}

// Follows one setting through a document.
class Editor {
 public:
  Editor(const Setting& setting, int source, Report& report)
      : setting_(setting), source_(source), report_(report) {}

  // Whether all went well; if not, that is reported, and the document is spoilt.
  bool apply(DocumentNode& root) {
    auto value = parse_document(setting_.value, source_);
    if (const auto* fault = std::get_if<DocumentFault>(&value)) {
      complain(fault->what, fault->hint);
      return false;
    }
    DocumentNode* target = find_or_make(root);
    if (target != nullptr) *target = std::move(std::get<DocumentNode>(value));
    return target != nullptr;
  }

 private:
  void complain(std::string what, std::string hint) {
    report_.error({source_}, "", std::move(what), std::move(hint));
  }

  DocumentNode* find_or_make(DocumentNode& root) {
    DocumentNode* node = &root;
    std::string_view path = setting_.key;
    do {
      const auto stride = next_stride(path, *node);
      if (!stride) {
        complain("not a path", "write, for example, goal.loss=0.2 or run[0].time=2");
        return nullptr;
      }
      node = stride->index ? item(*node, *stride->index) : value_of(*node, stride->key);
      path = stride->rest;
    } while (node != nullptr && !path.empty());
    return node;
  }

  DocumentNode* item(DocumentNode& list, std::size_t index) {
    if (list.kind != DocumentNode::Kind::List) {
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

  DocumentNode* value_of(DocumentNode& map, std::string_view key) {
    if (map.kind == DocumentNode::Kind::Null) map.kind = DocumentNode::Kind::Map;
    if (map.kind != DocumentNode::Kind::Map) {
      const bool is_list = map.kind == DocumentNode::Kind::List;
      complain(fmt::format("'{}' asks for a key of what is {}", shown(key),
                           is_list ? "a list" : "a single value"),
               is_list ? "give the position first: run[0].time" : "leave it out");
      return nullptr;
    }
    if (DocumentNode* value = map.find(key)) return value;
    Entry& entry = map.entries.emplace_back();
    entry.key = key;
    entry.mark = entry.value.mark = {source_};
    return &entry.value;
  }

  const Setting& setting_;
  const int source_;
  Report& report_;
};

}  // namespace

void apply_settings(DocumentNode& root, std::span<const Setting> settings, Report& report) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    DocumentNode edited = root;
    if (Editor(settings[i], static_cast<int>(i) + 1, report).apply(edited))
      root = std::move(edited);
  }
}

std::vector<std::string> source_names(const std::string& file, std::span<const Setting> settings) {
  std::vector<std::string> names{file};
  for (const Setting& setting : settings) names.push_back("--set " + shown(setting.key));
  return names;
}

Mark mark_of(const DocumentNode& root, std::string_view path) {
  Mark mark = root.mark;
  for (const DocumentNode* node = &root; !path.empty();) {
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
