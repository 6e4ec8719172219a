// SPDX-License-Identifier: Apache-2.0
// Several meters as one.
#pragma once

#include <memory>
#include <vector>

#include "core/meter.h"

namespace espalier {

// The sum of meters that count different things; as trustworthy as the weakest of them, its source
// names all of them. Owned by one thread.
class CombinedMeter final : public Meter {
 public:
  // REQUIRES: at least one.
  explicit CombinedMeter(std::vector<std::unique_ptr<Meter>> parts);
  // Throws what a part throws: a sum without it would be too low.
  EnergyReading read() override;

 private:
  std::vector<std::unique_ptr<Meter>> parts_;
};

}  // namespace espalier
