// SPDX-License-Identifier: Apache-2.0
// What figures are computed from, and what has been found out so far.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/scenario.h"
#include "core/trace.h"
#include "estimation/learning_forecaster.h"
#include "evidence/contender.h"
#include "evidence/estimator_accuracy.h"
#include "evidence/outcome.h"
#include "evidence/promise_study.h"
#include "evidence/regime.h"
#include "evidence/replay_accuracy.h"
#include "evidence/seed_split.h"

namespace espalier {

struct EvidenceInput {
  Scenario scenario{};
  std::vector<TraceRow> rows{};
  std::vector<SeedSplit> splits{};
  // One for each split, fitted to what it learns from; or none at all.
  std::vector<LearningForecaster> forecasters{};
  // The scenario with rules and noise as the traces have them; absent: nobody asked.
  std::optional<Scenario> ruled{};
  std::vector<double> targets{};  // losses, the tightest first
  std::vector<Regime> regimes{};
  // Threads; 0: one per core. Nothing depends on it.
  unsigned workers = 0;
};

// Filled as figures need it.
struct Findings {
  std::vector<TryOutcome> outcomes{};
  std::optional<ReplayAccuracy> replay{};
  std::optional<EstimatorAccuracy> estimators{};
  std::vector<PromiseStudy> promises{};  // by goal
};

// One kind of try, by all seeds.
struct TargetTrial {
  std::string regime{};
  double target = 0;
  Contender contender{};
};

}  // namespace espalier
