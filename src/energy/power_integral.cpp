// SPDX-License-Identifier: Apache-2.0
#include "energy/power_integral.h"

#include "core/error.h"

namespace espalier {

void PowerIntegral::add(Seconds time, Watts power) {
  ESPALIER_CHECK(power.value >= 0);
  if (last_ && time > last_->time) {
    total_ += (last_->power + power) * 0.5 * (time - last_->time);
  }
  last_ = Sample{time, power};
}

}  // namespace espalier
