// SPDX-License-Identifier: Apache-2.0
// Below a picture: which colour is what.
#pragma once

#include <string>
#include <vector>

#include "render/svg.h"

namespace espalier {

struct LegendEntry {
  std::string name;
  std::string swatch;  // look of a short line, or of a box where it begins with 'c'
  bool is_dot = false;
};

// In two columns within a width, from a height on; long names have a row of their own.
void draw_legend(Svg& svg, const std::vector<LegendEntry>& entries, Point at, double width);
double legend_height(const std::vector<LegendEntry>& entries);

}  // namespace espalier
