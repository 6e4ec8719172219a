// SPDX-License-Identifier: Apache-2.0
#include "render/legend.h"

namespace espalier {
namespace {

constexpr std::size_t kLegendColumns = 2;
constexpr double kLegendLine = 18;

}  // namespace

double legend_height(std::size_t entries) {
  return kLegendLine * static_cast<double>((entries + kLegendColumns - 1) / kLegendColumns);
}

void draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, Point at, double width) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const double x = at.x + width / kLegendColumns * static_cast<double>(i % kLegendColumns);
    const double y = at.y + kLegendLine * static_cast<double>(i / kLegendColumns);
    if (entries[i].swatch.starts_with('c')) {
      svg.box({x + 4, y - 10, 12, 10}, entries[i].swatch);
    } else {
      svg.line({x, y - 5}, {x + 20, y - 5}, entries[i].swatch);
    }
    svg.text({x + 27, y}, entries[i].name, "soft");
  }
}

}  // namespace espalier
