// SPDX-License-Identifier: Apache-2.0
// A run as people follow it, and as machines do: what there is to tell about each event.
#pragma once

#include <string>
#include <vector>

#include "orchestrator/front_desk.h"
#include "orchestrator/run_state.h"
#include "render/ink.h"
#include "render/json.h"

namespace espalier {

// One line each.
struct RunLine {
  std::string text;  // empty: nothing for people
  Style style = Style::Plain;
  Json json;  // null: nothing for machines
};

// Immutable. `setup` must outlive it.
class Narrator {
 public:
  explicit Narrator(const RunSetup& setup) : setup_(setup) {}

  std::vector<RunLine> tell(const RunState& before, const RunEvent& event,
                            const RunState& after) const;

  // "epoch 3: loss 1.2 (planned 1.3) · M on silver · …"
  RunLine epoch_line(const RunState& state, std::size_t epoch) const;
  // "3 epochs of L on gold, then 2 of M on silver"
  std::string stages_text(const PlanDecided& plan) const;
  // "; waiting for gold-1 and gold-2"; nothing where nobody is awaited.
  std::string waiting_text(const RunState& state) const;
  // "the goal was reached: …"
  std::string ending_text(const RunState& state) const;

 private:
  std::vector<RunLine> of_node(const RunState& before, const NodeName& node,
                               const RunState& after) const;
  std::vector<RunLine> of_result(const ResultCame& came) const;
  bool has_come_in_time(const RunState& before) const;
  std::vector<RunLine> of_stragglers(const RunState& before, const RunState& after) const;
  // Why a round came to nothing, and what follows.
  RunLine repeated_line(const RunState& before, const RunEvent& event, const RunState& after) const;
  // Who is here, and what the loss of the fresh network is.
  RunLine first_look_line(const RunState& state) const;
  // Machines are told every plan, people those that are new to them.
  RunLine of_plan(const RunState& before, const PlanDecided& plan, const RunState& after) const;
  std::string why_changed(const RunState& before, const PlanDecided& plan) const;
  std::string set_name(NodeSetId nodes) const;
  // Node sets that are not to be had: "gold and silver"; "without gold and silver ".
  std::string missing_names(const PlanDecided& plan) const;
  std::string missing_text(const PlanDecided& plan) const;

  const RunSetup& setup_;
};

// "goal-reached", "deadline-passed", …
std::string_view name_of(Ending ending);

}  // namespace espalier
