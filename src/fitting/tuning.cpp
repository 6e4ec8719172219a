// SPDX-License-Identifier: Apache-2.0
#include "fitting/tuning.h"

#include "estimation/blend.h"

namespace espalier {
namespace {

LossRange blend_of(const Said& said, double network_share) {
  return blended(said[position_of(Voice::Network)], said[position_of(Voice::Rule)], network_share);
}

}  // namespace

Tuning tune(const Answers& answers, const TuningOptions& options) {
  Tuning tuning;
  if (options.blends) {
    tuning.network_share =
        choose_share(judged_by(Voice::Network, answers), judged_by(Voice::Rule, answers));
  }
  std::vector<Judged> judged = judged_by(Voice::Network, answers);
  for (std::size_t i = 0; i < answers.size(); ++i)
    judged[i].said = blend_of(answers[i].said, tuning.network_share);
  tuning.adjustment = calibrate_shortest(judged, {.average = options.average});
  return tuning;
}

Said tuned(Said said, const Tuning& tuning) {
  const LossRange blend = blend_of(said, tuning.network_share);
  said[position_of(Voice::Blend)] = blend;
  said[position_of(Voice::Calibrated)] = adjusted(blend, tuning.adjustment);
  return said;
}

void tune_across_folds(Answers& answers, std::size_t folds, const TuningOptions& options) {
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const Tuning tuning = tune(outside_fold(answers, fold), options);
    for (HeldOut& one : answers) {
      if (one.fold == fold) one.said = tuned(one.said, tuning);
    }
  }
}

}  // namespace espalier
