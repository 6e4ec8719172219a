// SPDX-License-Identifier: Apache-2.0
// Where the readers of a document put what they find wrong with it.
#pragma once

#include <string>
#include <vector>

#include "io/diagnostic.h"
#include "io/document.h"

namespace espalier {

// A node of a document and the way to it.
struct Field {
  const DocumentNode* node;
  std::string path;  // "run[2].energy"; empty at the top

  Field item(std::size_t index) const;
  Field value(const Entry& entry) const;
  std::string path_of(std::string_view key) const;
};

// Owned by one thread.
class Report {
 public:
  // `sources` names what the marks refer to: the file, then each --set.
  explicit Report(std::vector<std::string> sources) : sources_(std::move(sources)) {}

  void error(const Field& at, std::string what, std::string hint = {});
  void error(Mark mark, std::string path, std::string what, std::string hint = {});
  void warning(Mark mark, std::string path, std::string what, std::string hint = {});

  bool has_errors() const { return errors_ > 0; }
  // Further problems are only counted, so there is no use in wording them well.
  bool is_full() const { return diagnostics_.size() >= kMost; }
  // Sorted by line.
  std::vector<Diagnostic> take();

 private:
  static constexpr std::size_t kMost = 100;
  void add(Diagnostic::Severity severity, Mark mark, Diagnostic diagnostic);

  const std::vector<std::string> sources_;
  std::vector<Diagnostic> diagnostics_;
  std::size_t errors_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace espalier
