// SPDX-License-Identifier: Apache-2.0
// What epochs, switches and hand-overs cost: the tables of a scenario, found out by doing.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "core/scenario.h"
#include "laboratory/training_laboratory.h"

namespace espalier {

struct EpochProfile {
  ModelId model{};
  NodeSetId nodes{};
  StepCost cost;           // the median
  double spread = 0;       // between the fastest and the slowest repetition, over the median
  int64_t parameters = 0;  // trained ones
  int64_t flops = 0;       // of a forward pass, for one image
};

// Costs that a scenario states without saying where: those of the node set where they are highest.
struct SwitchProfile {
  ModelId from{};
  ModelId to{};
  StepCost cost;
};

struct HandOverProfile {
  NodeSetId from{};
  NodeSetId to{};
  StepCost cost;  // of the full network
};

struct Profile {
  std::vector<EpochProfile> epochs;
  std::vector<SwitchProfile> switches;
  std::vector<HandOverProfile> hand_overs;
  bool complete = true;  // false: stopped
};

struct ProfileOptions {
  TrainingLaboratory::Trial trial;
  std::stop_token stop{};
  std::function<void()> on_step = [] {};  // after each row
};

// Rows that profile() is going to make.
std::size_t profile_rows(const Scenario& scenario);

// For the placements, switches and hand-overs that the scenario has, or for all that it could have.
// `clock` is that of the laboratory.
Profile profile(const Scenario& scenario, TrainingLaboratory& laboratory, const Clock& clock,
                const ProfileOptions& options);

// The scenario with the costs of the profile. How placements learn and losses jump stays as it was;
// new placements learn as `traces` will tell.
Scenario with_costs(Scenario scenario, const Profile& profile, const std::string& traces);

}  // namespace espalier
