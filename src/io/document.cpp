// SPDX-License-Identifier: Apache-2.0
#include "io/document.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "io/utf8.h"

namespace espalier {
namespace {

constexpr const char* kSplit = "split the scenario, or write shorter lists";

std::string too_many_values(const DocumentLimits& limits) {
  return fmt::format("more than {} values", limits.nodes);
}

// Leaves the parser, which knows no other way to be stopped.
struct Refusal {
  DocumentFault fault;
};

// Puts the parser's events together. The open lists and maps form a stack; each finished node goes
// into the one below.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(int source, const DocumentLimits& limits) : source_(source), limits_(limits) {
    root_.mark.source = source;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(mark, "a second document begins here", "keep one document: remove the line '---'");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(open_node(DocumentNode::Kind::Null, mark, anchor));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "an alias (*name) is not allowed", "write the value out");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    DocumentNode node = open_node(DocumentNode::Kind::Scalar, mark, anchor);
    node.text = value;
    node.quoted = tag == "!";
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open_collection(DocumentNode::Kind::List, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close_collection(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open_collection(DocumentNode::Kind::Map, mark, tag, anchor);
  }
  void OnMapEnd() override { close_collection(); }

  DocumentNode take_root() { return std::move(root_); }

 private:
  struct Open {
    DocumentNode node;
    bool expects_value = false;  // a map whose last entry has only its key
  };

  Mark mark_of(const YAML::Mark& mark) const {
    return {source_, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string what, std::string hint) const {
    throw Refusal{{mark_of(mark), std::move(what), std::move(hint)}};
  }

  // The parser gives "?" to what has no tag, and "!" to what has none but quotes.
  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(mark, "a tag (!name) is not allowed", "remove the tag");
  }

  DocumentNode open_node(DocumentNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) {
      refuse(mark, "an anchor (&name) is not allowed", "write the value out");
    }
    if (++nodes_ > limits_.nodes) {
      refuse(mark, too_many_values(limits_), kSplit);
    }
    DocumentNode node;
    node.kind = kind;
    node.mark = mark_of(mark);
    return node;
  }

  void open_collection(DocumentNode::Kind kind, const YAML::Mark& mark, const std::string& tag,
                       YAML::anchor_t anchor) {
    check_tag(mark, tag);
    if (open_.size() >= limits_.depth) {
      refuse(mark, fmt::format("nested more than {} levels deep", limits_.depth),
             "a scenario needs six levels; look for brackets that are never closed");
    }
    open_.push_back({open_node(kind, mark, anchor)});
  }

  void close_collection() {
    DocumentNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(DocumentNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == DocumentNode::Kind::List) {
      parent.node.items.push_back(std::move(node));
    } else if (parent.expects_value) {
      Entry& entry = parent.node.entries.back();
      // A reader looks for a map where its key is, not where its first entry is.
      if (node.kind != DocumentNode::Kind::Scalar) node.mark = entry.mark;
      entry.value = std::move(node);
      parent.expects_value = false;
    } else {
      add_key(parent, std::move(node));
    }
  }

  static void add_key(Open& map, DocumentNode key) {
    if (key.kind != DocumentNode::Kind::Scalar) {
      throw Refusal{{key.mark, "a key must be a word", "write keys as plain words: key: value"}};
    }
    map.node.entries.push_back({std::move(key.text), key.mark, {}});
    map.expects_value = true;
  }

  const int source_;
  const DocumentLimits limits_;
  int documents_ = 0;
  std::size_t nodes_ = 0;
  std::vector<Open> open_;
  DocumentNode root_;
};

DocumentNode parse_yaml(std::string_view text, int source, const DocumentLimits& limits) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  TreeBuilder builder(source, limits);
  while (parser.HandleNextDocument(builder)) {
  }
  return builder.take_root();
}

constexpr std::string_view kSigns = "[{,?&*!";

// The parser reads a whole flow collection ahead, at a few hundred bytes for each sign. In a
// document within the limits there are fewer signs than values.
bool has_too_many_signs(std::string_view text, const DocumentLimits& limits) {
  const auto is_sign = [&](char c) { return kSigns.find(c) != std::string_view::npos; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_sign)) > limits.nodes;
}

DocumentFault fault_of(const YAML::Exception& error, int source) {
  const std::string hint = error.msg.find("tab") != std::string::npos
                               ? "indent with spaces, not with tabs"
                               : "look for a bracket, quote or colon that is missing, "
                                 "and for uneven indentation, here or just above";
  const Mark mark = error.mark.is_null() ? Mark{source}
                                         : Mark{source, error.mark.line + 1, error.mark.column + 1};
  return {mark, "not valid YAML: " + error.msg, hint};
}

}  // namespace

const DocumentNode* DocumentNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

DocumentNode* DocumentNode::find(std::string_view key) {
  return const_cast<DocumentNode*>(std::as_const(*this).find(key));
}

std::variant<DocumentNode, DocumentFault> parse_document(std::string_view text, int source,
                                                         const DocumentLimits& limits) {
  if (text.size() > limits.bytes) {
    return DocumentFault{{source},
                         fmt::format("larger than {} MiB", limits.bytes >> 20),
                         "a scenario is a short text; is this the right file?"};
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const auto fault = find_text_fault(text)) {
    return DocumentFault{
        {source, fault->line, fault->column}, fault->what, "save the file as UTF-8 text"};
  }
  if (has_too_many_signs(text, limits))
    return DocumentFault{{source}, too_many_values(limits), kSplit};
  try {
    return parse_yaml(text, source, limits);
  } catch (Refusal& refusal) {
    return std::move(refusal.fault);
  } catch (const YAML::Exception& error) {
    return fault_of(error, source);
  } catch (const std::exception& error) {
    return DocumentFault{{source}, fmt::format("not readable as YAML: {}", error.what()), ""};
  }
}

}  // namespace espalier
