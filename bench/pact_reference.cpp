// SPDX-License-Identifier: Apache-2.0
// Claim: `pact` takes the decisions of the paper's algorithms 1 to 3, taken literally, and takes
// them faster.
#include <algorithm>
#include <cmath>
#include <optional>
#include <stop_token>

#include <fmt/format.h>

#include "core/plan.h"
#include "instances.h"
#include "literal_pact.h"
#include "meter.h"
#include "pact_cases.h"
#include "program.h"
#include "report.h"
#include "strategies/registry.h"

namespace espalier::bench {
namespace {

struct Settings {
  int cases = 200;
  double limit_seconds = 200;
  double limit_bytes = 8e9;
  std::string json;
};

PlanResult plan_with_pact(const Problem& problem, const State& now, const LiteralOptions& grid) {
  const PlannerOptions options{.estimator = {},
                               .loss_step = grid.loss_step,
                               .time_step = grid.time_step,
                               .max_labels = 2'000'000'000};
  return strategy_named("pact").planner(problem, options)->plan(now, std::stop_token{});
}

// What pact would do next; nothing where its grid has no path to the goal.
std::optional<PlacementId> action_of(const PlanResult& pact) {
  // A last resort is no path of the grid, even if it passes the goal; pact says so.
  const bool is_last_resort =
      std::any_of(pact.notes.begin(), pact.notes.end(), [](const std::string& note) {
        return note.find("heading for the least loss") != std::string::npos;
      });
  const bool has_path = pact.verdict == Verdict::Feasible && !is_last_resort && pact.plan &&
                        !pact.plan->steps.empty();
  return has_path ? std::optional(pact.plan->steps[0].placement) : std::nullopt;
}

std::optional<PlacementId> action_of(const LiteralDecision& literal) {
  return literal.best ? std::optional(literal.best->placements[0]) : std::nullopt;
}

// --- the same decisions
// ----------------------------------------------------------------------------

// The literal decision, on expected estimates where no path is robustly feasible.
LiteralDecision decide_or_fall_back(const PactCase& c) {
  LiteralDecision decision = decide_literally(c.problem, c.now, c.grid);
  if (decision.best) return decision;
  LiteralOptions expected = c.grid;
  expected.estimator = Estimator::Expected;
  return decide_literally(c.problem, c.now, expected);
}

struct Agreement {
  int same = 0;
  int tied = 0;  // another action whose score is equal
  int different = 0;
  int without = 0;    // both find no path
  int switching = 0;  // the decision changes the placement
  int overruled = 0;  // risk or opportunity made a path of more energy win

  int decided() const { return same + tied + different; }
};

bool is_overruled(const LiteralDecision& literal) {
  return std::ranges::any_of(literal.by_action, [&](const auto& path) {
    return path && path->weight < literal.best->weight;
  });
}

void show_difference(const PactCase& c, const LiteralDecision& literal, const PlanResult& pact) {
  const auto name = [&](std::optional<PlacementId> p) {
    return p ? c.problem.name_of(*p) : "no path";
  };
  fmt::print("  differs: {}: literal says {}, pact says {}\n", c.name, name(action_of(literal)),
             name(action_of(pact)));
  for (std::size_t p = 0; p < c.problem.size(); ++p) {
    const auto& path = literal.by_action[p];
    if (!path) continue;
    fmt::print("    {:<12} score {:.12g} weight {:.12g} risk {:.6g} opportunity {:.6g}\n",
               c.problem.name_of(PlacementId{static_cast<std::int32_t>(p)}), path->score,
               path->weight, path->risk, path->opportunity);
  }
}

bool is_tie(const LiteralDecision& literal, std::optional<PlacementId> action) {
  if (!literal.best || !action) return false;
  const auto& path = literal.by_action[action->pos()];
  return path && path->score <= literal.best->score * (1 + 1e-9);
}

void compare_case(const PactCase& c, Agreement& agreement) {
  const LiteralDecision literal = decide_or_fall_back(c);
  const PlanResult pact = plan_with_pact(c.problem, c.now, c.grid);
  const auto ours = action_of(pact);
  if (ours == action_of(literal)) {
    ++(ours ? agreement.same : agreement.without);
    agreement.switching += ours && *ours != c.now.placement;
    agreement.overruled += ours && is_overruled(literal);
    return;
  }
  ++(is_tie(literal, ours) ? agreement.tied : agreement.different);
  show_difference(c, literal, pact);
}

void report_decisions(Report& report, int cases) {
  Agreement agreement;
  for (int number = 1; agreement.decided() < cases; ++number) {
    const PactCase c = pact_case(number);
    if (!c.problem.goal().reached(c.now.loss, c.now.time)) compare_case(c, agreement);
  }
  report.conclude(fmt::format(
      "Decisions: {} random cases with a path, same first action in {} ({} switch, in {} risk or "
      "opportunity overruled energy), another of equal score in {}, different in {}.",
      agreement.decided(), agreement.same, agreement.switching, agreement.overruled, agreement.tied,
      agreement.different));
  report.conclude(fmt::format("Both find no path in {} further cases.", agreement.without));
  if (agreement.different > 0) report.fail("pact and the literal algorithm decide differently");
}

// --- the speed
// -------------------------------------------------------------------------------------

struct Size {
  double deadline = 0;
  PathSearch search = PathSearch::Single;
};

struct Measured {
  double seconds = 0;
  double bytes = 0;
};

Measured report_size(Report& report, const Size& size) {
  const Problem problem = Problem::estimated(smart_factory(Loss{0.45}, Seconds{size.deadline}));
  const LiteralOptions grid{
      .loss_step = Loss{0.01}, .time_step = Seconds{1}, .search = size.search};
  const MemoryMeter memory;
  const Stopwatch watch;
  const LiteralDecision literal = decide_literally(problem, problem.start(), grid);
  const Measured measured{watch.seconds(), static_cast<double>(memory.peak_bytes())};
  PlanResult pact;
  const double seconds =
      median_seconds([&] { pact = plan_with_pact(problem, problem.start(), grid); });
  const bool is_same = action_of(pact) == action_of(literal);
  const char* name =
      size.search == PathSearch::PerGoal ? "one Dijkstra per goal vertex" : "one Dijkstra";
  report.add({fmt::format("factory, {} s, {}", size.deadline, name), literal.vertices,
              literal.edges, literal.paths, measured.seconds, measured.bytes / 1e6, seconds,
              pact.stats.labels, measured.seconds / seconds, is_same});
  if (!is_same)
    report.fail(fmt::format("different decisions at a deadline of {} s", size.deadline));
  return measured;
}

// The first deadline for which the grid has a path.
constexpr double kShortestDeadline = 23;

// Longer and longer deadlines until the next would take too long, or too much memory. Both grow
// with the number of vertices, the square of the deadline; one search per goal vertex makes the
// time grow with its square again.
void report_growth(Report& report, PathSearch search, const Settings& settings) {
  const double power = search == PathSearch::PerGoal ? 4 : 2;
  double deadline = kShortestDeadline;
  Measured measured = report_size(report, {deadline, search});
  for (;;) {
    const double next = std::round(deadline * 1.25);
    const double growth = next / deadline;
    if (measured.seconds * std::pow(growth, power) > settings.limit_seconds) break;
    if (measured.bytes * growth * growth > settings.limit_bytes) break;
    deadline = next;
    measured = report_size(report, {deadline, search});
  }
}

int run(const Settings& settings) {
  Report report(
      "`pact` decides as the paper's algorithms 1 to 3 do when taken literally, and faster.",
      {"smart factory, loss 0.45, steps 0.01 and 1 s", "vertices", "edges", "paths", "literal s",
       "literal MB", "pact s", "pact labels", "literal/pact", "same action"});
  report_growth(report, PathSearch::PerGoal, settings);
  report_growth(report, PathSearch::Single, settings);
  report_decisions(report, settings.cases);
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--cases", settings.cases, "random decisions to compare");
  app.add_option("--limit", settings.limit_seconds,
                 "longest run of the literal algorithm, in seconds");
  app.add_option("--memory", settings.limit_bytes,
                 "most memory of the literal algorithm, in bytes");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "Compares `pact` with the paper's algorithms taken literally.",
                     add_options, run);
}
