// SPDX-License-Identifier: Apache-2.0
// Written from the definition of the problem, on purpose without the code that planning uses: it
// looks rows up in the scenario by name, and evaluates the formulas itself.
#include "core/plan_checker.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace espalier {
namespace {

constexpr double kTolerance = 1e-7;  // relative; sums may be made in another order

bool is_close(double a, double b) {
  return std::abs(a - b) <= kTolerance * std::max({1.0, std::abs(a), std::abs(b)});
}

// Quantiles of exp(σZ − σ²/2) at 5 % and 95 %.
constexpr double kZ95 = 1.6448536269514722;
double low_factor(double sigma) { return std::exp(-kZ95 * sigma - sigma * sigma / 2); }
double high_factor(double sigma) { return std::exp(kZ95 * sigma - sigma * sigma / 2); }

// --- one epoch
// -------------------------------------------------------------------------------------

double after_epoch(const PowerRule& rule, int, double loss, double factor) {
  const double above = std::max(0.0, loss - rule.floor);
  return loss - std::min(factor * rule.rate * std::pow(above, rule.power), above);
}

double after_epoch(const StepsRule& rule, int epoch, double loss, double factor) {
  const bool has_step = epoch <= static_cast<int>(rule.steps.size());
  return std::max(0.0,
                  loss + (has_step ? factor * rule.steps[static_cast<std::size_t>(epoch - 1)] : 0));
}

double after_epoch(const CurveRule& rule, int, double loss, double factor) {
  const auto& c = rule.points;
  double next = loss;
  if (loss >= c.front()) {
    next = loss - (c[0] - c[1]);
  } else if (loss > c.back()) {
    std::size_t i = 0;
    while (c[i + 1] >= loss) ++i;
    const double along = (c[i] - loss) / (c[i] - c[i + 1]);
    next = i + 2 < c.size() ? c[i + 1] + along * (c[i + 2] - c[i + 1]) : c.back();
  }
  const double floor = std::min(loss, c.back());
  return std::max(loss - factor * (loss - next), floor);
}

RuleShape with_floor_added(RuleShape shape, double add) {
  if (auto* power = std::get_if<PowerRule>(&shape)) power->floor += add;
  if (auto* curve = std::get_if<CurveRule>(&shape)) {
    for (double& point : curve->points) point += add;
  }
  return shape;
}

double trained(const LearnSpec& learn, const DataOptionSpec& data, Estimator estimator, int epoch,
               double loss) {
  const auto run = [&](const RuleShape& shape, double factor) {
    return std::visit([&](const auto& rule) { return after_epoch(rule, epoch, loss, factor); },
                      with_floor_added(shape, data.floor_add));
  };
  const RuleShape& shape = std::get<RuleShape>(learn.rule);
  if (estimator == Estimator::Expected) return run(shape, data.rate);
  if (learn.robust) return run(*learn.robust, data.rate);
  const double sigma =
      std::sqrt(learn.noise.run * learn.noise.run + learn.noise.epoch * learn.noise.epoch);
  const auto* steps = std::get_if<StepsRule>(&shape);
  const bool rises = steps && epoch <= static_cast<int>(steps->steps.size()) &&
                     steps->steps[static_cast<std::size_t>(epoch - 1)] > 0;
  return run(shape, data.rate * (rises ? high_factor(sigma) : low_factor(sigma)));
}

double jumped(const JumpSpec& jump, Estimator estimator, double loss) {
  Jump applied = jump.expected;
  if (estimator == Estimator::Robust) {
    applied.add *= applied.add >= 0 ? high_factor(jump.noise) : low_factor(jump.noise);
    applied = jump.robust.value_or(applied);
  }
  return std::max(0.0, applied.scale * loss + applied.add);
}

// --- the rows of the scenario
// ----------------------------------------------------------------------

const RunSpec* run_row(const Scenario& scenario, const Placement& at) {
  for (const RunSpec& row : scenario.runs) {
    if (row.model == at.model && row.nodes == at.nodes) return &row;
  }
  return nullptr;
}

const ModelChangeSpec* model_row(const Scenario& scenario, ModelId from, ModelId to) {
  for (const ModelChangeSpec& row : scenario.model_changes) {
    if (row.from == from && row.to == to) return &row;
  }
  return nullptr;
}

const NodeChangeSpec* node_row(const Scenario& scenario, NodeSetId from, NodeSetId to) {
  for (const NodeChangeSpec& row : *scenario.node_changes) {
    if (row.from == from && row.to == to) return &row;
  }
  return nullptr;
}

struct Replay {
  double time = 0;
  double energy = 0;
  double loss = 0;
};

// Replays a plan step by step and collects what does not fit.
class Checker {
 public:
  Checker(const Scenario& scenario, const Problem& problem, const PlanResult& result)
      : scenario_(scenario),
        problem_(problem),
        plan_(*result.plan),
        estimator_(result.estimator),
        has_margin_(result.chance.has_value()) {}

  std::vector<std::string> run(GoalDemand demand) {
    const State& start = plan_.start;
    now_ = {start.time.value, start.energy.value, start.loss.value};
    data_.resize(scenario_.node_sets.size());
    at_ = problem_.training(start.placement).at;
    for (std::size_t i = 0; i < plan_.steps.size() && faults_.empty(); ++i) {
      // A plan with a margin goes on for the runs that are less lucky.
      if (is_goal() && !has_margin_) fault(i, "the goal was reached before this epoch");
      step(i);
    }
    if (faults_.empty() && demand == GoalDemand::Needed && !is_goal()) {
      fault(plan_.steps.size(), "the plan ends without reaching the goal");
    }
    return faults_;
  }

 private:
  bool is_goal() const {
    return now_.loss <= scenario_.goal.loss.value + kTolerance &&
           now_.time <= scenario_.goal.deadline.value * (1 + kTolerance);
  }

  void step(std::size_t i) {
    const Step& claimed = plan_.steps[i];
    const Placement& to = problem_.training(claimed.placement).at;
    const RunSpec* row = run_row(scenario_, to);
    if (!row) return fault(i, "there is no such run in the scenario");
    if (!change_to(to, i)) return;
    const double before = now_.loss;
    if (before > problem_.ceiling() * (1 + kTolerance) && before > plan_.after(i).loss.value) {
      fault(i, "the loss rises above the ceiling");
    }
    const NodeSetSpec& nodes = scenario_.node_sets[to.nodes.pos()];
    const DataOptionSpec data =
        nodes.data_options.empty() ? DataOptionSpec{} : nodes.data_options[to.data.pos()];
    use(to, data, i, (plan_.start.paid & problem_.training(claimed.placement).once_mark) != 0);
    const LevelSpec level = nodes.levels.empty() ? LevelSpec{} : nodes.levels[to.level.pos()];
    now_.time += row->time.value * level.time * data.time;
    now_.energy += row->energy.value * level.energy * data.energy;
    now_.loss =
        trained(row->learn, data, estimator_, plan_.start.epoch + static_cast<int>(i) + 1, before);
    at_ = to;
    compare(i, claimed);
  }

  // One data option for each node set, and what it costs once.
  void use(const Placement& to, const DataOptionSpec& data, std::size_t i, bool was_paid) {
    auto& used = data_[to.nodes.pos()];
    if (used && *used != to.data) fault(i, "this node set used other data before");
    if (!used && !was_paid) now_.energy += data.once.value;
    used = to.data;
  }

  bool change_to(const Placement& to, std::size_t i) {
    for (const PairChangeSpec& row : scenario_.pair_changes) {
      const bool fits = row.from_model == at_.model && row.from_nodes == at_.nodes &&
                        row.to_model == to.model && row.to_nodes == to.nodes;
      if (fits) return pay_pair(row);
    }
    if (at_.model != to.model) {
      const ModelChangeSpec* row = model_row(scenario_, at_.model, to.model);
      if (!row) return fault(i, "this switch of models is not possible"), false;
      pay(row->time, row->energy);
      now_.loss = jumped(row->jump, estimator_, now_.loss);
    }
    if (at_.nodes != to.nodes && scenario_.node_changes) {
      const NodeChangeSpec* row = node_row(scenario_, at_.nodes, to.nodes);
      if (!row) return fault(i, "this hand-over is not possible"), false;
      pay(row->time, row->energy);
    }
    return true;
  }

  bool pay_pair(const PairChangeSpec& row) {
    pay(row.time, row.energy);
    const ModelChangeSpec* part = model_row(scenario_, row.from_model, row.to_model);
    if (row.jump) {
      now_.loss = jumped(*row.jump, estimator_, now_.loss);
    } else if (part) {
      now_.loss = jumped(part->jump, estimator_, now_.loss);
    }
    return true;
  }

  void pay(Seconds time, Joules energy) {
    now_.time += time.value;
    now_.energy += energy.value;
  }

  void compare(std::size_t i, const Step& claimed) {
    if (!is_close(now_.time, claimed.time.value))
      fault(i, claim("time", claimed.time.value, now_.time));
    if (!is_close(now_.energy, claimed.energy.value))
      fault(i, claim("energy", claimed.energy.value, now_.energy));
    if (!is_close(now_.loss, claimed.loss.value))
      fault(i, claim("loss", claimed.loss.value, now_.loss));
  }

  static std::string claim(const char* what, double claimed, double true_value) {
    std::ostringstream text;
    text.precision(12);
    text << "the " << what << " is said to be " << claimed << " but is " << true_value;
    return text.str();
  }

  void fault(std::size_t i, const std::string& what) {
    faults_.push_back("epoch " +
                      std::to_string(static_cast<std::size_t>(plan_.start.epoch) + i + 1) + ": " +
                      what);
  }

  const Scenario& scenario_;
  const Problem& problem_;
  const Plan& plan_;
  const Estimator estimator_;
  const bool has_margin_;
  std::vector<std::optional<DataOptionId>> data_;  // used so far, by node set
  Replay now_;
  Placement at_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> check_plan(const Scenario& scenario, const Problem& problem,
                                    const PlanResult& result, GoalDemand demand) {
  if (!result.plan) return {};
  return Checker(scenario, problem, result).run(demand);
}

}  // namespace espalier
