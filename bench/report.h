// SPDX-License-Identifier: Apache-2.0
// What a benchmark says: a table for people, JSON for machines.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace espalier::bench {

// An empty cell has nothing to say: not measured, not finished.
using Cell = std::variant<std::monostate, std::string, double, std::int64_t, bool>;

// Rows are printed as they come. Owned by one thread.
class Report {
 public:
  Report(std::string claim, std::vector<std::string> columns);

  void add(std::vector<Cell> row);
  // A sentence below the table, computed from its rows.
  void conclude(const std::string& sentence);
  // Something inside the benchmark did not come out right; the program should fail.
  void fail(const std::string& sentence);

  // Writes JSON to `path` unless it is empty; returns the exit code of the program.
  int finish(const std::string& path) const;

 private:
  std::string claim_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::string> conclusions_;
  bool has_failed_ = false;
};

// The exit code of a program whose work is `run`; an exception is reported and makes it fail.
int exit_code_of(const std::function<int()>& run) noexcept;

}  // namespace espalier::bench
