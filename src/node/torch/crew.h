// SPDX-License-Identifier: Apache-2.0
// Processes inside one trusted site that train as one node: the leader is the agent, the others do
// as it does. All have the same images; of each batch, everyone computes a part.
//
// A meeting place (a small store) tells followers of each epoch. For every epoch the
// group is formed of those who answer; one that died or is frozen is left out from then on until it
// answers again. There is no encryption and no authorisation: inside one site only.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/clock.h"
#include "core/meter.h"
#include "datasets/dataset.h"
#include "node/crew_address.h"
#include "node/task_meter.h"
#include "training/learner.h"
#include "training/learner_options.h"

namespace espalier {

struct CrewOptions {
  // How long the others wait for one that says nothing, within a step.
  std::chrono::milliseconds step_patience{20'000};
  // How long the leader waits for followers before an epoch, and after one that failed.
  std::chrono::milliseconds answer_patience{5'000};
  std::function<void(std::string_view)> say = [](auto) {};  // one line for people
};

// Rank 0. Owned by one thread.
class CrewLeader {
 public:
  // Waits for all followers. Nothing where it is stopped first. Throws Error{RunFailed} where they
  // do not come or have other images.
  static std::unique_ptr<CrewLeader> gather(const CrewAddress& address, const Images& images,
                                            CrewOptions options, const std::stop_token& stop = {});
  // Sends the followers home.
  ~CrewLeader();
  CrewLeader(const CrewLeader&) = delete;
  CrewLeader& operator=(const CrewLeader&) = delete;

  // Learners whose `train` is that of the whole crew; the rest they do alone. The samples must be
  // those of `spread_over` the images. Must not outlive the leader.
  std::function<LearnerFactory(const LearnerOptions&)> learners();
  // At the end of a task: what the whole crew used for it, given what this process did. See
  // energy_of_all.
  EnergyReading with_others(const EnergyReading& own);

 private:
  class Store;
  explicit CrewLeader(std::unique_ptr<Store> store);
  friend class CrewLearner;
  std::unique_ptr<Store> store_;
};

// What a follower works with. All must outlive it.
struct FollowerTools {
  const Images& images;
  const NodeMeters& meters;
  const Clock& clock;
};

// The other ranks: does what the leader does until it is sent home, stopped, or the leader is gone
// for good. Throws Error{RunFailed}.
void follow(const CrewAddress& address, const FollowerTools& tools, const CrewOptions& options,
            const std::stop_token& stop);

}  // namespace espalier
