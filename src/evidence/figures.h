// SPDX-License-Identifier: Apache-2.0
// Every figure and table: one file each, and one line here and in figures.cpp.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "evidence/evidence_input.h"
#include "render/exhibit.h"

namespace espalier {

struct FindingWatch {
  std::stop_token stop{};
  std::function<void()> done = [] {};  // after each piece of work, by any thread
};

struct FigureEntry {
  enum class Estimators { Unused, Useful, Needed };
  std::string id{};     // "fig6"
  std::string about{};  // one line for people
  Estimators estimators = Estimators::Unused;
  bool needs_rules = false;  // EvidenceInput::ruled
  // What has to be tried, if anything.
  std::vector<TargetTrial> (*trials)(const EvidenceInput&) = nullptr;
  // What else has to be found out, and in how many pieces.
  void (*find)(const EvidenceInput&, Findings&, const FindingWatch&) = nullptr;
  std::size_t pieces = 0;
  Exhibit (*show)(const EvidenceInput&, const Findings&) = nullptr;
  std::vector<Claim> (*claims)(const EvidenceInput&, const Findings&) = nullptr;
};

FigureEntry table_one();
FigureEntry pruning_curves();    // fig2
FigureEntry predicted_losses();  // fig4
FigureEntry energy_by_target();  // fig6
FigureEntry energy_by_model();   // fig7
FigureEntry effect_of_grid();    // fig8
FigureEntry effect_of_bias();    // fig9
FigureEntry effect_of_decisions();
FigureEntry promises_kept();  // depl
FigureEntry replay_error();   // environment

// In the order of the report.
const std::vector<FigureEntry>& all_figures();

// In the order of the report, each once; all if none is named. Throws Error{BadInput} with a
// suggestion for a name that is none.
std::vector<const FigureEntry*> figures_named(std::span<const std::string> names);

}  // namespace espalier
