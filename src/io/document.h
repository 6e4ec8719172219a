// SPDX-License-Identifier: Apache-2.0
// A YAML (or JSON) text as a tree that knows where everything was written. Bounded: no text,
// however hostile, makes it crash, hang or use much memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace espalier {

// Where something was written.
struct Mark {
  int source = 0;  // 0: the file; otherwise the number of a --set
  int line = 0;    // 1-based; 0: as a whole
  int column = 0;  // 1-based, in characters; 0: as a whole
};

struct Entry;

struct DocumentNode {
  enum class Kind { Null, Scalar, List, Map };
  Kind kind = Kind::Null;
  Mark mark{};                      // of the key, if it is a list or map under one
  std::string text;                 // of a scalar
  bool quoted = false;              // a scalar in quotes, or a block of text
  std::vector<DocumentNode> items;  // of a list
  std::vector<Entry> entries;       // of a map, as in the text; a repeated key is there twice

  // The first entry of that name, or nothing.
  const DocumentNode* find(std::string_view key) const;
  DocumentNode* find(std::string_view key);
};

struct Entry {
  std::string key;
  Mark mark{};
  DocumentNode value;
};

struct DocumentLimits {
  std::size_t bytes = 4 << 20;
  std::size_t nodes = 200'000;
  std::size_t depth = 32;
};

// Why a text is no document.
struct DocumentFault {
  Mark mark{};
  std::string what;  // "not valid YAML: …"
  std::string hint;
};

// Refuses what the limits forbid, anchors, aliases, tags, a second document, bad UTF-8 and NUL
// bytes. All marks get `source`. Never throws for bad text. An empty text is a null node.
std::variant<DocumentNode, DocumentFault> parse_document(std::string_view text, int source = 0,
                                                         const DocumentLimits& limits = {});

}  // namespace espalier
