// SPDX-License-Identifier: Apache-2.0
// What the events of a run mean to somebody who watches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "orchestrator/narration.h"
#include "orchestrator/run_state.h"
#include "watching/run_news.h"

namespace espalier {

// Owned by one thread. The same events give the same news with the same numbers.
class RunReader {
 public:
  // `setup` must outlive it.
  explicit RunReader(const RunSetup& setup);

  std::vector<RunNews> read(const RunEvent& event);

 private:
  void step(const RunEvent& event);
  void step_and_narrate(const RunEvent& event);
  void tell(NewsContent what);
  void tell_end();
  void tell_nodes(const RunEvent& event);
  void tell_node(const NodeName& name);
  void tell_epochs(std::size_t before);
  void tell_plan(const PlanDecided& plan, const std::string& sentence);
  std::string reason_of(const PlanDecided& plan, const std::string& sentence) const;
  std::vector<ForeseenStep> course_of(const PlanDecided& plan) const;
  PlaceName place_of(PlacementId placement) const;

  // What a node has told so far.
  struct Tally {
    Seconds last_seen{};
    std::optional<Seconds> epoch_time{};
    Joules energy{};
    std::string source{};
    std::int64_t bytes = 0;
  };

  const RunSetup& setup_;
  Narrator narrator_;
  RunState state_;
  std::map<NodeName, Tally> tallies_;
  std::map<NodeName, Presence> presences_;  // as they were told last
  std::string reason_;     // of the last plan, for the switch that it begins with; empty: none
  bool has_plan_ = false;  // there was one already, or one that was agreed to
  std::int64_t last_id_ = 0;
  std::vector<RunNews> news_;
};

// What is fixed. `strategy` is its name.
RunHead head_of(const RunSetup& setup, const std::string& name, const std::string& strategy);

}  // namespace espalier
