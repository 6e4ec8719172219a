// SPDX-License-Identifier: Apache-2.0
// Everybody's tries at everything, side by side on all cores.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "evidence/evidence_input.h"

namespace espalier {

// Every target, in the order of the contenders.
std::vector<TargetTrial> trials_of(const EvidenceInput& input, const std::string& regime,
                                   std::span<const Contender> contenders,
                                   std::span<const double> targets);

// Of several that are the same (regime, target, name of the contender) one is kept; those that need
// estimators go where there are none.
std::vector<TargetTrial> without_repeats(std::vector<TargetTrial> trials,
                                         const EvidenceInput& input);

// How many tries that are at most, over all seeds.
std::size_t try_count(std::span<const TargetTrial> trials, const EvidenceInput& input);

// In the order of the trials, seeds in increasing order. `done` is called after each try, by any
// thread. If it was stopped, nothing.
std::vector<TryOutcome> hold_trials(std::span<const TargetTrial> trials, const EvidenceInput& input,
                                    const std::stop_token& stop, const std::function<void()>& done);

// Those of a contender at a target, by seed.
std::vector<const TryOutcome*> outcomes_of(const Findings& findings, const std::string& regime,
                                           const std::string& contender, double target);

}  // namespace espalier
