// SPDX-License-Identifier: Apache-2.0
// Everything `plan` found out, ready to be told.
#pragma once

#include <string>
#include <vector>

#include "analysis/alternatives.h"
#include "analysis/explanation.h"
#include "analysis/frontier.h"
#include "core/plan.h"
#include "core/strategy.h"
#include "render/command_words.h"
#include "render/ink.h"

namespace espalier {

// What was planned. Borrowed.
struct Planned {
  const Scenario& scenario;
  const Problem& problem;
  const StrategyInfo& strategy;
  CommandWords words;  // to repeat in hints
};

struct PlanReport {
  Planned planned;
  PlanResult result;
  std::vector<Alternative> alternatives;
  Nearest nearest;                   // where the goal cannot be reached
  std::vector<StageReason> reasons;  // where they were asked for
  std::vector<std::string> notes;
  double seconds = 0;  // the planning took
};

struct FrontierReport {
  Planned planned;
  Estimator estimator = Estimator::Expected;
  Frontier frontier;
  std::vector<std::string> notes;
  double seconds = 0;
};

// For people; a page without suggestions what to do next, and one with them.
std::string plan_page(const PlanReport& report, const Ink& ink);
std::string plan_text(const PlanReport& report, const Ink& ink);
std::string frontier_text(const FrontierReport& report, const Ink& ink);

// For machines: one JSON document.
std::string plan_document(const PlanReport& report);
std::string frontier_document(const FrontierReport& report);

}  // namespace espalier
