// SPDX-License-Identifier: Apache-2.0
// The grid of pact's graph: losses and times are rounded up to the next multiple of a step.
#pragma once

#include <cmath>
#include <cstdint>

namespace espalier {

struct Rounding {
  double loss_step = 0;  // 0: not rounded
  double time_step = 0;

  // The smallest multiple that is not below the value; exact multiples stay, 1e-9 steps are
  // forgiven.
  static std::int64_t multiple(double value, double step) {
    return static_cast<std::int64_t>(std::ceil(value / step - 1e-9));
  }
  double loss_up(double loss) const {
    return loss_step > 0 ? loss_step * static_cast<double>(multiple(loss, loss_step)) : loss;
  }
  double time_up(double time) const {
    return time_step > 0 ? time_step * static_cast<double>(multiple(time, time_step)) : time;
  }
};

}  // namespace espalier
