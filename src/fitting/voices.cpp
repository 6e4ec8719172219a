// SPDX-License-Identifier: Apache-2.0
#include "fitting/voices.h"

#include "estimation/naive_estimator.h"

namespace espalier {
namespace {

template <class Estimator>
Ahead one_by_one(const Estimator& estimator) {
  return [estimator](std::span<const History> histories, std::size_t epochs) {
    std::vector<LossesAhead> ranges;
    for (const History& history : histories) ranges.push_back(estimator.ahead(history, epochs));
    return ranges;
  };
}

}  // namespace

Ahead naive_voice() { return one_by_one(NaiveEstimator{}); }

Ahead power_law_voice(const PowerLawExperience& experience) {
  return one_by_one(PowerLawEstimator(experience));
}

Ahead network_voice(const Tensors& weights) {
  const auto estimator = std::make_shared<const NetworkRunEstimator>(weights);
  return [estimator](std::span<const History> histories, std::size_t epochs) {
    return network_ahead(estimator->network(), histories, epochs);
  };
}

}  // namespace espalier
