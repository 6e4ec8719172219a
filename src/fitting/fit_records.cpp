// SPDX-License-Identifier: Apache-2.0
#include "fitting/fit_records.h"

namespace espalier {

WorstCase worst_case(std::span<const RunStory> stories, const Missed& missed, std::size_t ahead) {
  const HeldOut& answer = missed.answer;
  const RunStory& story = stories[answer.run];
  WorstCase worst{.run = story.run, .epoch = answer.epoch, .ahead = ahead};
  if (ahead == 0) {
    worst.from = story.changes[answer.item].change.from;
    worst.to = story.changes[answer.item].change.to;
  }
  worst.said = answer.said[position_of(Voice::Calibrated)];
  worst.came = answer.came;
  return worst;
}

NetworkFit network_fit(const FitParts& parts, const FittedNetwork& network) {
  return {parts.learn.size(), parts.validation.size(), parts.judge.size(), network.last,
          network.end};
}

}  // namespace espalier
