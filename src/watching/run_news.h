// SPDX-License-Identifier: Apache-2.0
// A run as somebody sees it who watches: what is fixed, and then one piece of news after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/plan.h"
#include "core/provenance.h"

namespace espalier {

// What a placement is called.
struct PlaceName {
  std::string model{};
  std::string nodes{};
  std::string data{};   // empty: the node set has no options
  std::string level{};  // empty: the node set has no levels
  friend bool operator==(const PlaceName&, const PlaceName&) = default;
};

struct WatchedNode {
  std::string name;
  std::string nodes;  // its node set
};

// From the first moment to the last.
struct RunHead {
  std::string name;
  std::string scenario;
  std::string strategy;
  std::string source;  // where times and energies come from: "modelled: as the scenario says"
  Goal goal{};
  Loss start_loss{};
  std::vector<std::string> models;     // in the order of the scenario
  std::vector<std::string> node_sets;  // likewise
  std::vector<WatchedNode> nodes;
};

// Where a plan says the run will be after an epoch. Time and energy since the run began.
struct ForeseenStep {
  int epoch = 0;
  PlaceName place{};
  Seconds time{};
  Joules energy{};
  Loss expected{};
  Loss robust{};
};

// The fresh network was looked at: what the scenario says of its loss was a guess.
struct LookNews {
  Loss loss{};
};

// The strategy has spoken, after `epoch` epochs.
struct PlanNews {
  int epoch = 0;
  Verdict verdict = Verdict::Infeasible;
  bool changed = false;                // another way than the plan before
  std::string sentence{};              // what it says, and why it differs
  std::vector<ForeseenStep> course{};  // at most kMostForeseen; empty: as before
  std::optional<Chance> chance{};
};
inline constexpr std::size_t kMostForeseen = 120;

// An epoch is over. Time and energy since the run began.
struct EpochNews {
  int epoch = 0;
  PlaceName place{};
  Loss loss{};
  Seconds time{};
  Joules energy{};
  std::optional<Loss> planned_loss{};
  std::optional<Joules> planned_energy{};
  Provenance provenance = Provenance::Modelled;
  std::string source{};     // of its energy: "RAPL package-0"
  std::size_t members = 0;  // whose updates count
  std::string reason{};     // of the switch that it began with; empty: none
};

enum class WatchedState { Expected, Online, Silent, Lost };

struct NodeNews {
  std::string name;
  std::string nodes{};  // its node set
  WatchedState state = WatchedState::Expected;
  Seconds last_seen{};                  // since the run began
  std::optional<Seconds> epoch_time{};  // of its last epoch
  Joules energy{};                      // so far
  std::string energy_source{};          // "measured: RAPL package-0"
  std::int64_t bytes = 0;               // that it sent
  std::int64_t samples = 0;
};

// Something that people should know.
struct RemarkNews {
  std::string text;
};

enum class RunOutcome { Reached, Missed, Stopped, Failed };

// Time and energy since the run began, with what came to no epoch.
struct EndNews {
  RunOutcome outcome = RunOutcome::Failed;
  std::string sentence{};
  bool can_resume = false;
  Seconds time{};
  Joules energy{};
};

// Somebody carries on a run that had ended or was cut off.
struct ResumeNews {};

using NewsContent =
    std::variant<PlanNews, EpochNews, NodeNews, RemarkNews, EndNews, ResumeNews, LookNews>;

struct RunNews {
  std::int64_t id = 0;  // 1, 2, …, the same whenever the run is read
  Seconds at{};         // since the run began
  NewsContent what;
};

// At most `most` of them, evenly, the first, the last, and those before and after a switch among
// them as far as there is room.
std::vector<ForeseenStep> thinned(const std::vector<ForeseenStep>& course, std::size_t most);

}  // namespace espalier
