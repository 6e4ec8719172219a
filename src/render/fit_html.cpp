// SPDX-License-Identifier: Apache-2.0
#include "render/fit_report.h"

namespace espalier {

std::string fit_html(const FitReport& report) { return report.source; }

}  // namespace espalier
