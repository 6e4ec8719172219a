// SPDX-License-Identifier: Apache-2.0
// What stages that began alike did: experience that needs neither a law nor a network.
//
// Idea. A stage is known by how it began: its conditions, those before it, the loss at which the
// network was changed, and after how many epochs. Stages that began nearly alike go on nearly
// alike, whatever the shape of their curves is. So their mean curve is forecast, those that began
// more alike counting more, moved by what the run at hand is off it so far, as far as being off has
// lasted in the traces. Everything is relative: curves and deviations are logarithms of losses.
//
// That is hard to beat far ahead, where networks read their own forecasts over and over, and no use
// where nothing alike was traced: then there is no forecast.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/horizons.h"
#include "estimation/trace_stories.h"

namespace espalier {

struct StageBeginning {
  Conditions now{};
  std::optional<Conditions> before{};  // absent: the network was fresh
  double loss = 0;                     // logarithm of the loss before the change
  double epochs = 0;                   // logarithm of one more than the losses before the stage
  friend bool operator==(const StageBeginning&, const StageBeginning&) = default;
};

StageBeginning beginning_of(const History& history);

struct KindredStage {
  StageBeginning beginning{};
  std::vector<double> losses{};  // logarithms; on arrival, then after each epoch
  friend bool operator==(const KindredStage&, const KindredStage&) = default;
};

// What two beginnings differ by, in one of these, if they are a deviation apart.
struct KinshipScales {
  double loss = 0.2;
  double epochs = 0.5;
  friend bool operator==(const KinshipScales&, const KinshipScales&) = default;
};

// Of what a stage is off its kin, so many epochs later.
struct Lasting {
  double share = 0;      // that is left
  double deviation = 0;  // of what else comes
  friend bool operator==(const Lasting&, const Lasting&) = default;
};

// Stages say more of themselves the longer they are: on arrival, after 1 or 2 epochs, after 3 to 7,
// after more.
inline constexpr std::size_t kStageAges = 4;
using LastingAhead = std::array<Lasting, kHorizons.size()>;

// REQUIRES: epochs ≥ 1.
Lasting lasting_at(const LastingAhead& lasting, std::size_t epochs);

struct KindredExperience {
  std::vector<KindredStage> stages{};  // empty: nothing is forecast
  KinshipScales near{};  // for stages that began just alike; if there are not enough of them,
  KinshipScales far{};   // for those before and after, between which they lie
  std::array<LastingAhead, kStageAges> lasting{};
  friend bool operator==(const KindredExperience&, const KindredExperience&) = default;
};

inline constexpr std::size_t kMostKindredStages = 1000;
inline constexpr std::size_t kLongestKindredStage = 400;  // losses

// From stages of at least two losses, of at least two families; each is judged by the stages of
// other families. O(stages² · losses).
KindredExperience learn_kindred(std::span<const RunStory> stories);

// Thread-safe.
class KindredEstimator {
 public:
  explicit KindredEstimator(KindredExperience experience) : experience_(std::move(experience)) {}

  // One range for each of the next epochs; nothing if no stage began alike. The mean never rises.
  std::optional<LossesAhead> ahead(const History& history, std::size_t epochs) const;

 private:
  KindredExperience experience_;
};

}  // namespace espalier
