// SPDX-License-Identifier: Apache-2.0
// Charts as pictures: lines with bands, and stacked bars.
#pragma once

#include <string>

#include "render/exhibit.h"

namespace espalier {

std::string chart_svg(const Chart& chart);
std::string bar_chart_svg(const BarChart& chart);

}  // namespace espalier
