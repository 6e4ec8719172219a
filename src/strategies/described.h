// SPDX-License-Identifier: Apache-2.0
// A strategy as a description and a way to make its planner: all that most of them need.
#pragma once

#include <memory>
#include <utility>

#include "core/strategy.h"

namespace espalier {

// Immutable.
class DescribedStrategy final : public Strategy {
 public:
  using Factory = std::unique_ptr<Planner> (*)(const Problem&, Estimator, const PlannerOptions&);

  DescribedStrategy(StrategyInfo info, Factory factory)
      : info_(std::move(info)), factory_(factory) {}

  const StrategyInfo& info() const override { return info_; }
  std::unique_ptr<Planner> planner(const Problem& problem,
                                   const PlannerOptions& options) const override {
    return factory_(problem, options.estimator.value_or(info_.estimator), options);
  }

 private:
  StrategyInfo info_;
  Factory factory_;
};

}  // namespace espalier
