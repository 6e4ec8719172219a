// SPDX-License-Identifier: Apache-2.0
// Runs that are made up and played back: what a dashboard shows without nodes, training or files.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "core/scenario.h"
#include "watching/run_feed.h"

namespace espalier {

struct Play {
  std::string name = "played";
  Scenario scenario{};
  std::uint64_t seed = 1;
  double luck = 0.3;   // spread of what an epoch brings
  int plan_every = 1;  // epochs; in between, the plan stays
  int most_epochs = 100'000;
  std::string lost_node{};   // goes silent at epoch 6 and is lost at epoch 8; empty: none does
  std::string extra_node{};  // one more node, of that name
  RunOutcome outcome = RunOutcome::Reached;  // Stopped: half-way
};

// Everything that happens, from the first plan to the end: the strategy `exact` decides after every
// epoch, and what comes of it is a matter of luck.
std::vector<RunNews> rehearse(const Play& play);

// Plays: each piece of news is due `pace` after the one before, beginning now. Thread-safe.
class PlayedRuns final : public RunShelf {
 public:
  explicit PlayedRuns(std::chrono::milliseconds pace) : pace_(pace) {}
  void add(const Play& play);

  std::vector<std::string> names() override;
  std::unique_ptr<RunFeed> open(const std::string& name) override;

 private:
  struct Part {
    RunHead head;
    std::vector<RunNews> news;
  };

  const std::chrono::milliseconds pace_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::map<std::string, Part> parts_;
};

}  // namespace espalier
