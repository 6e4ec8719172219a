// SPDX-License-Identifier: Apache-2.0
// A table of aligned columns that fits the page.
#pragma once

#include <string>
#include <vector>

#include "render/ink.h"
#include "render/text.h"

namespace espalier {

enum class Align { Left, Right };

// What a column does when the table is too wide.
enum class Fit { Keep, Cut, Wrap };

struct Column {
  std::string head;
  Align align = Align::Left;
  Fit fit = Fit::Keep;
};

struct Cell {
  std::string text;
  Style style = Style::Plain;
};

using Row = std::vector<Cell>;

// Owned by one thread.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // REQUIRES: one cell per column.
  void add(Row row);
  // A line across, before the next row.
  void add_rule();
  bool empty() const { return rows_.empty(); }

  // Head, a line, the rows; each line is indented by two columns.
  std::string text(const Ink& ink, int width = kPageWidth) const;

 private:
  std::vector<int> widths(int page) const;
  std::string line_of(const Row& row, const std::vector<int>& widths, const Ink& ink) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;  // an empty row is a line across
};

}  // namespace espalier
