// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "render/figures.h"
#include "render/names.h"
#include "render/plan_report.h"
#include "render/sections.h"
#include "render/sentences.h"
#include "render/table.h"

namespace espalier {
namespace {

constexpr int kBarWidth = 12;

// One unit of energy for everything on the page: that of the plan, or else of the costliest other
// one.
EnergyScale scale_of(const PlanReport& report) {
  Joules largest{};
  for (const Alternative& a : report.alternatives) {
    if (a.result.plan) largest = std::max(largest, a.result.cost());
  }
  return EnergyScale(report.result.plan ? report.result.plan->end().energy : largest);
}

bool reaches(const PlanReport& report) {
  if (!report.result.plan) return false;
  if (report.result.chance) return report.result.verdict != Verdict::Infeasible;
  const State end = report.result.plan->end();
  return report.planned.problem.goal().reached(end.loss, end.time);
}

// --- verdict
// ---------------------------------------------------------------------------------------

// Of sums of energies: what rounding makes of them.
constexpr double kNothing = 1e-9;

std::string distance(const PlanResult& result) {
  const double bound = result.lower_bound.value;
  if (!(bound > 0)) return "how far from the cheapest is not known";
  const double above = result.plan->end().energy.value / bound - 1;
  if (above < kNothing) return "nothing is cheaper";
  return fmt::format("at most {} above the cheapest possible", percent(above));
}

std::string chance_text(const Chance& chance) {
  if (chance.runs == 1) return "reaches the goal for certain";
  return fmt::format("reaches the goal in {} of {} fresh runs (95 % interval {} … {})",
                     percent(chance.probability), chance.runs, percent(chance.interval.low),
                     percent(chance.interval.high));
}

std::string promise_text(const PlanReport& report) {
  const PlanResult& result = report.result;
  if (result.verdict == Verdict::Optimal)
    return "optimal: without noise no plan costs less (proved)";
  if (result.verdict == Verdict::Infeasible)
    return "infeasible: the likeliest plan found " + chance_text(*result.chance);
  // With a margin of one's own choosing, say.
  const bool holds = result.chance->interval.low >= report.planned.problem.goal().probability;
  return (holds ? "promised: " : "not promised: ") + chance_text(*result.chance);
}

std::string verdict_text(const PlanReport& report) {
  const PlanResult& result = report.result;
  if (result.chance) return promise_text(report);
  const bool of_all = report.planned.strategy.name == "exact";
  switch (result.verdict) {
    case Verdict::Optimal:
      return fmt::format("optimal: no {} costs less (proved, gap {})",
                         of_all ? "plan" : "plan of this kind", percent(result.gap()));
    case Verdict::Feasible:
      return "feasible: reaches the goal; " + distance(result);
    case Verdict::Infeasible:
      return result.plan
                 ? "infeasible: no plan of this kind reaches the goal; this is the last resort"
                 : fmt::format("infeasible: no {} reaches the goal",
                               of_all ? "plan" : "plan of this kind");
    case Verdict::Limit:
      return reaches(report) ? "stopped early: the best plan so far; " + distance(result)
                             : "stopped early: no plan that reaches the goal was found so far";
  }
  return {};
}

Style verdict_style(const PlanReport& report) {
  if (report.result.verdict == Verdict::Infeasible) return Style::Bad;
  return report.result.verdict == Verdict::Limit ? Style::Warning : Style::Good;
}

// --- stages
// ----------------------------------------------------------------------------------------

// Columns that say something: a scenario without levels or data options does without them.
struct Shown {
  bool level = false;
  bool data = false;
};

Shown columns_for(const Scenario& scenario) {
  Shown shown;
  for (const NodeSetSpec& nodes : scenario.node_sets) {
    shown.level |= !nodes.levels.empty();
    shown.data |= !nodes.data_options.empty();
  }
  return shown;
}

std::vector<Column> stage_columns(const Shown& shown) {
  std::vector<Column> columns{
      {"stage", Align::Right}, {"model", Align::Left, Fit::Cut}, {"nodes", Align::Left, Fit::Cut}};
  if (shown.data) columns.push_back({"data", Align::Left, Fit::Cut});
  if (shown.level) columns.push_back({"level", Align::Left, Fit::Cut});
  columns.insert(columns.end(), {{"epochs", Align::Right},
                                 {"time", Align::Right},
                                 {"energy", Align::Right},
                                 {"loss"},
                                 {"share of energy"}});
  return columns;
}

std::string share_of(Joules part, Joules whole) {
  const double share = whole.value > 0 ? part / whole : 0;
  return fmt::format("{} {:>3.0f} %", pad_right(bar(share, kBarWidth), kBarWidth), 100 * share);
}

std::string from_to(Loss before, Loss after) {
  return loss_figure(before) + " → " + loss_figure(after);
}

// What the rows of stages and the row of the total have in common.
struct Amount {
  int epochs = 0;
  Seconds time{};
  Joules energy{};
  Loss before{};
  Loss after{};
};

void add_amount(Row& row, const Amount& amount, const EnergyScale& scale) {
  row.insert(row.end(), {{std::to_string(amount.epochs)},
                         {duration(amount.time)},
                         {scale(amount.energy)},
                         {from_to(amount.before, amount.after)}});
}

Row stage_row(const PlanReport& report, const Shown& shown, const Stage& stage,
              std::size_t number) {
  const auto& planned = report.planned;
  const auto names = names_of(planned.scenario, planned.problem.training(stage.placement).at);
  Row row{{std::to_string(number)},
          {printable(names.model), Style::Bold},
          {printable(names.nodes), Style::Bold}};
  if (shown.data) row.push_back({printable(names.data.value_or("–"))});
  if (shown.level) row.push_back({printable(names.level.value_or("–"))});
  return row;
}

std::string stages_text(const PlanReport& report, const EnergyScale& scale, const Ink& ink) {
  const Plan& plan = *report.result.plan;
  const Shown shown = columns_for(report.planned.scenario);
  const Joules whole = plan.end().energy - plan.start.energy;
  Table table(stage_columns(shown));
  Loss before = plan.start.loss;
  std::size_t number = 0;
  for (const Stage& stage : plan.stages()) {
    Row row = stage_row(report, shown, stage, ++number);
    add_amount(row, {stage.epochs, stage.time, stage.energy, before, stage.loss}, scale);
    row.push_back({share_of(stage.energy, whole), Style::Accent});
    table.add(std::move(row));
    before = stage.loss;
  }
  Row total{{"total", Style::Dim}, {""}, {""}};
  total.resize(total.size() + shown.data + shown.level);
  const State end = plan.end();
  add_amount(total,
             {static_cast<int>(plan.steps.size()), end.time - plan.start.time, whole,
              plan.start.loss, end.loss},
             scale);
  total.push_back({""});
  table.add_rule();
  table.add(std::move(total));
  return table.text(ink);
}

// What the table of stages cannot show: most runs end before the plan does.
std::string mean_text(const PlanReport& report, const EnergyScale& scale) {
  const auto& chance = report.result.chance;
  if (!chance || chance->runs == 1) return "";
  return fmt::format(
      "\n  {} on average, because a run ends when it reaches the goal; losses are the expected "
      "ones\n",
      scale(chance->mean_energy));
}

std::string plan_part(const PlanReport& report, const EnergyScale& scale, const Ink& ink) {
  if (!report.result.plan) return "";
  if (report.result.plan->steps.empty()) {
    return reaches(report) ? "\n  The goal holds from the start: nothing to train.\n" : "";
  }
  return "\n" + stages_text(report, scale, ink) + mean_text(report, scale);
}

// --- why, and what else
// ------------------------------------------------------------------------------

std::string reasons_text(const PlanReport& report, const Ink& ink) {
  if (report.reasons.empty()) return "";
  std::string text = "\n" + ink(Style::Bold, "why these stages") + "\n";
  std::size_t number = 0;
  for (const StageReason& reason : report.reasons) {
    text += hanging(fmt::format("  {}. ", ++number), printable(why(report, reason)));
  }
  return text;
}

std::string versus(const PlanReport& report, const PlanResult& other) {
  if (!reaches(report)) return "–";
  const double best = report.result.cost().value;
  return best > 0 ? signed_percent(other.cost().value / best - 1) : "–";
}

// Last resorts have none: they would look like plans.
bool has_figures(const Alternative& a) {
  return a.result.plan && a.standing != Standing::Unreachable && a.standing != Standing::GaveUp &&
         a.standing != Standing::OutOfTime;
}

std::vector<std::string> notes_of(const PlanReport& report) {
  std::vector<std::string> notes = report.notes;
  for (const Alternative& a : report.alternatives) {
    if (!has_figures(a)) continue;
    for (const std::string& note : a.result.notes) notes.push_back(a.strategy + ": " + note);
  }
  notes.push_back(
      report.result.chance
          ? "all figures follow from the scenario and its noise; nothing was measured"
          : fmt::format("all figures are estimates from the scenario ({}); nothing was measured",
                        name_of(report.result.estimator)));
  return notes;
}

std::string alternatives_text(const PlanReport& report, const EnergyScale& scale, const Ink& ink) {
  if (report.alternatives.empty()) return "";
  Table table({{"strategy"},
               {"energy", Align::Right},
               {"vs plan", Align::Right},
               {"time", Align::Right},
               {"switches", Align::Right},
               {"why not", Align::Left, Fit::Wrap}});
  for (const Alternative& a : report.alternatives) {
    const Plan* plan = has_figures(a) ? &*a.result.plan : nullptr;
    table.add({{a.strategy},
               {plan ? scale(a.result.cost()) : "–"},
               {plan ? versus(report, a.result) : "–"},
               {plan ? duration(plan->end().time) : "–"},
               {plan ? std::to_string(plan->switches(report.planned.problem)) : "–"},
               {printable(why_not(report, a))}});
  }
  return "\n" + ink(Style::Bold, "other strategies") + "\n" + table.text(ink);
}

// --- what next
// ---------------------------------------------------------------------------------------

bool others_reach(const PlanReport& report) {
  return report.nearest.loss && *report.nearest.loss <= report.planned.problem.goal().loss_bound();
}

// The options that make the difference between this plan and the one a bare `plan` gives.
std::string choice_of(const PlanReport& report) {
  const StrategyInfo& strategy = report.planned.strategy;
  std::string words = strategy.name == "exact" ? "" : " --strategy " + strategy.name;
  if (report.result.estimator == strategy.estimator) return words;
  return words + " --estimator " + name_of(report.result.estimator);
}

std::vector<std::string> ways_to_a_promise(const PlanReport& report) {
  const CommandWords& words = report.planned.words;
  const Nearest& nearest = report.nearest;
  std::vector<std::string> ways;
  const auto suggest = [&](const char* key, double value) {
    ways.push_back("espalier plan " + words.with(key, value).text() + choice_of(report));
  };
  if (nearest.loss) suggest("goal.loss", rounded_up(nearest.loss->value, 4));
  if (nearest.deadline) suggest("goal.deadline", rounded_up(nearest.deadline->value, 4));
  if (nearest.probability) suggest("goal.probability", rounded_down(*nearest.probability, 3));
  return ways;
}

// The nearest goals are those of all plans, so it is `exact` that reaches them.
std::vector<std::string> ways_out(const PlanReport& report) {
  const CommandWords& words = report.planned.words;
  const char* estimator = report.result.estimator == Estimator::Robust ? " --estimator robust" : "";
  if (report.planned.strategy.promises) return ways_to_a_promise(report);
  if (others_reach(report)) return {"espalier plan " + words.text() + estimator};
  std::vector<std::string> ways;
  const auto suggest = [&](const char* key, double value) {
    ways.push_back("espalier plan " + words.with(key, rounded_up(value, 4)).text() + estimator);
  };
  if (report.nearest.loss) suggest("goal.loss", report.nearest.loss->value);
  if (report.nearest.deadline) suggest("goal.deadline", report.nearest.deadline->value);
  return ways;
}

std::string nearest_promise_text(const Goal& goal, const Nearest& nearest) {
  std::string text;
  if (nearest.loss)
    text +=
        fmt::format("  With {} a loss of {} can be promised by {}.\n", percent(goal.probability),
                    loss_figure(Loss{rounded_up(nearest.loss->value, 4)}), duration(goal.deadline));
  if (nearest.deadline)
    text += fmt::format("  With {} a loss of {} can be promised by {}.\n",
                        percent(goal.probability), loss_figure(goal.loss),
                        duration(Seconds{rounded_up(nearest.deadline->value, 4)}));
  if (nearest.probability)
    text += fmt::format("  A loss of {} by {} can be promised with {}.\n", loss_figure(goal.loss),
                        duration(goal.deadline), percent(rounded_down(*nearest.probability, 3)));
  return text.empty() ? "" : "\n" + text;
}

std::string nearest_text(const PlanReport& report) {
  if (report.result.verdict != Verdict::Infeasible) return "";
  const Goal& goal = report.planned.problem.goal();
  const Nearest& nearest = report.nearest;
  if (report.planned.strategy.promises) return nearest_promise_text(goal, nearest);
  if (others_reach(report)) return "\n  Plans of other kinds do reach the goal.\n";
  std::string text = "\n";
  if (nearest.loss) {
    text += fmt::format("  The least loss that can be had by {} is {}.\n", duration(goal.deadline),
                        loss_figure(Loss{rounded_up(nearest.loss->value, 4)}));
  }
  text += nearest.deadline
              ? fmt::format("  A loss of {} can be had by {} at the earliest.\n",
                            loss_figure(goal.loss),
                            duration(Seconds{rounded_up(nearest.deadline->value, 4)}))
              : fmt::format("  No later deadline was found that makes a loss of {} reachable.\n",
                            loss_figure(goal.loss));
  return text;
}

std::vector<std::string> next_commands(const PlanReport& report) {
  if (report.result.verdict == Verdict::Infeasible) return ways_out(report);
  const std::string words = report.planned.words.text();
  std::vector<std::string> next;
  if (report.planned.strategy.promises) {
    next.push_back("espalier simulate " + words + choice_of(report) + " --runs 1000");
    if (report.planned.strategy.name != "policy")
      next.push_back("espalier plan " + words + " --strategy policy");
  } else if (report.reasons.empty() && reaches(report)) {
    next.push_back("espalier plan " + words + choice_of(report) + " --explain");
  }
  if (!report.planned.strategy.promises)
    next.push_back("espalier plan " + words + " --frontier deadline");
  next.push_back("espalier compare " + words);
  return next;
}

}  // namespace

std::string plan_page(const PlanReport& report, const Ink& ink) {
  const EnergyScale scale = scale_of(report);
  return heading(report.planned, report.result.estimator, ink) +
         verdict_line(verdict_text(report), verdict_style(report), ink) +
         plan_part(report, scale, ink) + nearest_text(report) + reasons_text(report, ink) +
         alternatives_text(report, scale, ink) + notes_text(notes_of(report), ink);
}

std::string plan_text(const PlanReport& report, const Ink& ink) {
  return plan_page(report, ink) + next_text(next_commands(report), ink);
}

}  // namespace espalier
