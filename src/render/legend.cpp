// SPDX-License-Identifier: Apache-2.0
#include "render/legend.h"

namespace espalier {
namespace {

constexpr std::size_t kLegendColumns = 2;
constexpr double kLegendLine = 18;
// Longer names do not fit into a column: bytes, of which letters have one or two.
constexpr std::size_t kColumnBytes = 34;

struct LegendCell {
  std::size_t row = 0;
  std::size_t column = 0;
};

// Names that do not fit into a column have a row of their own.
std::vector<LegendCell> cells_of(const std::vector<LegendEntry>& entries) {
  std::vector<LegendCell> cells;
  LegendCell next;
  for (const LegendEntry& entry : entries) {
    const bool is_long = entry.name.size() > kColumnBytes;
    if (next.column == kLegendColumns || (is_long && next.column > 0)) next = {next.row + 1, 0};
    cells.push_back(next);
    next.column = is_long ? kLegendColumns : next.column + 1;
  }
  return cells;
}

}  // namespace

double legend_height(const std::vector<LegendEntry>& entries) {
  if (entries.empty()) return 0;
  return kLegendLine * static_cast<double>(cells_of(entries).back().row + 1);
}

void draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, Point at, double width) {
  const std::vector<LegendCell> cells = cells_of(entries);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double x = at.x + width / kLegendColumns * static_cast<double>(cells[i].column);
    const double y = at.y + kLegendLine * static_cast<double>(cells[i].row);
    if (entries[i].is_dot) {
      svg.dot({x + 10, y - 5}, 3.2, entries[i].swatch);
    } else if (entries[i].swatch.starts_with('c')) {
      svg.box({x + 4, y - 10, 12, 10}, entries[i].swatch);
    } else {
      svg.line({x, y - 5}, {x + 20, y - 5}, entries[i].swatch);
    }
    svg.text({x + 27, y}, entries[i].name, "soft");
  }
}

}  // namespace espalier
