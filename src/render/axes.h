// SPDX-License-Identifier: Apache-2.0
// Axes with a grid and round numbers around a panel of a picture.
#pragma once

#include <string_view>

#include "render/svg.h"

namespace espalier {

void draw_time_axis(Svg& svg, const Scale& x, const Box& panel);
// Along the bottom.
void draw_number_axis(Svg& svg, const Scale& x, const Box& panel, std::string_view name);
// Along the left side, with a grid.
void draw_value_axis(Svg& svg, const Scale& y, const Box& panel, std::string_view name);
// The same for a scale of decimal logarithms: the powers of ten.
void draw_log_axis(Svg& svg, const Scale& y, const Box& panel, std::string_view name);

}  // namespace espalier
