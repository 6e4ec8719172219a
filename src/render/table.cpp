// SPDX-License-Identifier: Apache-2.0
#include "render/table.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace espalier {
namespace {

constexpr int kGap = 2;
constexpr int kLeastWrapped = 24;
constexpr int kLeastCut = 5;

int total(const std::vector<int>& widths) {
  return std::accumulate(widths.begin(), widths.end(), 0) + kGap * static_cast<int>(widths.size());
}

std::string rule(const std::vector<int>& widths) {
  std::string line(kGap, ' ');
  for (int i = kGap; i < total(widths); ++i) line += "─";
  return line + "\n";
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

void Table::add(Row row) {
  ESPALIER_CHECK(row.size() == columns_.size());
  rows_.push_back(std::move(row));
}

void Table::add_rule() { rows_.emplace_back(); }

std::vector<int> Table::widths(int page) const {
  std::vector<int> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.head));
  for (const Row& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i].text));
    }
  }
  const auto shrink = [&](Fit fit, int least) {
    while (total(widths) > page) {
      int* widest = nullptr;
      for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool may = columns_[i].fit == fit && widths[i] > least;
        if (may && (!widest || widths[i] > *widest)) widest = &widths[i];
      }
      if (!widest) return;
      --*widest;
    }
  };
  shrink(Fit::Wrap, kLeastWrapped);
  shrink(Fit::Cut, kLeastCut);
  shrink(Fit::Wrap, 1);
  return widths;
}

std::string Table::line_of(const Row& row, const std::vector<int>& widths, const Ink& ink) const {
  std::vector<std::vector<std::string>> parts;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool wraps = columns_[i].fit == Fit::Wrap;
    parts.push_back(wraps ? wrap(row[i].text, widths[i])
                          : std::vector<std::string>{cut_to(row[i].text, widths[i])});
    height = std::max(height, parts.back().size());
  }
  std::string lines;
  for (std::size_t l = 0; l < height; ++l) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string part = l < parts[i].size() ? parts[i][l] : "";
      const int rest = widths[i] - display_width(part);
      const std::string fill(static_cast<std::size_t>(std::max(0, rest)), ' ');
      const std::string painted = ink(row[i].style, part);
      line += std::string(kGap, ' ') +
              (columns_[i].align == Align::Left ? painted + fill : fill + painted);
    }
    lines += without_trailing_spaces(std::move(line));
  }
  return lines;
}

std::string Table::text(const Ink& ink, int width) const {
  const std::vector<int> fitted = widths(width);
  Row head;
  for (const Column& column : columns_) head.push_back({column.head, Style::Dim});
  std::string text = line_of(head, fitted, ink) + ink(Style::Dim, rule(fitted));
  for (const Row& row : rows_) {
    text += row.empty() ? ink(Style::Dim, rule(fitted)) : line_of(row, fitted, ink);
  }
  return text;
}

}  // namespace espalier
