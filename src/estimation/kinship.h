// SPDX-License-Identifier: Apache-2.0
// Which stages began alike, and what they did on average.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "estimation/kindred_stages.h"

namespace espalier {

// Of a loss ≥ 0; those below 1e-12 count as that.
double log_loss(double loss);

struct Kinsman {
  const KindredStage* stage;
  double weight;  // of its curve in the mean curve
};
using Kin = std::vector<Kinsman>;

// By how near they are, at most 1. Nobody if none is near.
Kin kin_of(const StageBeginning& beginning, std::span<const KindredStage> stages,
           const KinshipScales& scales);

// Whether somebody else would hardly change the picture.
bool is_enough(const Kin& kin);

// With weights that sum up to 1 and follow the slope: where stages that began with more epochs
// before them do better, one that began with fewer than all of its kin is expected to do worse than
// they did. Local linear regression in `loss` and `epochs` of the beginnings, the slope being
// shrunk; some weights may be negative.
Kin leaned(Kin kin, const StageBeginning& beginning, const KinshipScales& scales);

// The first so many losses of the kin's mean curve, as logarithms. A stage that ended goes on as
// the power law of its last epochs does. REQUIRES: some kin.
std::vector<double> mean_curve(const Kin& kin, std::size_t count);

// How far a stage is off its kin by now: the loss on arrival says little of what is to come, so it
// is forgotten at the first epoch; then each deviation counts as much as all before it.
class Deviation {
 public:
  void add(double deviation) { value_ = count_++ < 2 ? deviation : (value_ + deviation) / 2; }
  double value() const { return value_; }

 private:
  std::size_t count_ = 0;
  double value_ = 0;
};

// Position in KindredExperience::lasting after so many epochs of a stage.
constexpr std::size_t age_group(std::size_t epochs) {
  return epochs == 0 ? 0 : epochs < 3 ? 1 : epochs < 8 ? 2 : 3;
}

}  // namespace espalier
