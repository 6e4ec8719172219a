// SPDX-License-Identifier: Apache-2.0
#include "core/problem.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/portable_math.h"

namespace espalier {
namespace {

constexpr double kRobustQuantile = 0.05;
// Room above the highest planned loss, for rounding and for observed losses that are worse than
// planned.
constexpr double kHeadroom = 1.1;

// --- learning rules
// --------------------------------------------------------------------------------

const RuleShape& shape_of(const LearnSpec& learn) {
  if (const auto* shape = std::get_if<RuleShape>(&learn.rule)) return *shape;
  const auto& file = std::get<RuleFile>(learn.rule);
  throw Error(ErrorCode::BadInput,
              "the learning rule in '" + file.path + "' cannot be evaluated by this version",
              "give rate, floor and power, or steps, or a curve");
}

// The rule when a node set learns from part of its data: slower, and not as far down.
RuleShape with_data(RuleShape shape, const DataOptionSpec& data) {
  if (auto* power = std::get_if<PowerRule>(&shape)) power->floor += data.floor_add;
  if (auto* curve = std::get_if<CurveRule>(&shape)) {
    for (double& point : curve->points) point += data.floor_add;
  }
  return shape;
}

// Decreases shrink to their 0.05 quantile; where the loss rises, the rise grows to its 0.95
// quantile.
LearningRule cautious(const RuleShape& shape, const NoiseSpec& noise, double rate) {
  const double sigma = std::hypot(noise.run, noise.epoch);
  const double low = lognormal_quantile(sigma, kRobustQuantile);
  const double high = lognormal_quantile(sigma, 1 - kRobustQuantile);
  if (const auto* steps = std::get_if<StepsRule>(&shape)) {
    StepsRule scaled = *steps;
    for (double& step : scaled.steps) step *= step < 0 ? low : high;
    return LearningRule(std::move(scaled), rate);
  }
  return LearningRule(shape, low * rate);
}

Estimated<LearningRule> rules_of(const LearnSpec& learn, const DataOptionSpec& data) {
  const RuleShape shape = with_data(shape_of(learn), data);
  return {LearningRule(shape, data.rate),
          learn.robust ? LearningRule(with_data(*learn.robust, data), data.rate)
                       : cautious(shape, learn.noise, data.rate)};
}

Estimated<Jump> jumps_of(const JumpSpec& jump) {
  if (jump.robust) return {jump.expected, *jump.robust};
  Jump robust = jump.expected;
  robust.add *=
      lognormal_quantile(jump.noise, robust.add >= 0 ? 1 - kRobustQuantile : kRobustQuantile);
  return {jump.expected, robust};
}

double higher(const Estimated<Jump>& jump, double loss) {
  return std::max({loss, jump.expected.apply(loss), jump.robust.apply(loss)});
}

// --- model chains
// ----------------------------------------------------------------------------------

using Chain = std::vector<ModelId>;

ModelId model_id(std::size_t index) { return {static_cast<std::int32_t>(index)}; }

void extend_chain(const Scenario& scenario, Chain& chain, std::vector<Chain>& chains) {
  bool is_end = true;
  for (std::size_t i = 0; i < scenario.models.size(); ++i) {
    if (scenario.models[i].from != chain.back()) continue;
    is_end = false;
    chain.push_back(model_id(i));
    extend_chain(scenario, chain, chains);
    chain.pop_back();
  }
  if (is_end) chains.push_back(chain);
}

std::vector<Chain> chains_of(const Scenario& scenario) {
  Chain chain{scenario.start.model};
  std::vector<Chain> chains;
  const bool has_lineage = std::any_of(scenario.models.begin(), scenario.models.end(),
                                       [](const ModelSpec& m) { return m.from.has_value(); });
  if (has_lineage) {
    extend_chain(scenario, chain, chains);
    return chains;
  }
  for (std::size_t i = 0; i < scenario.models.size(); ++i) {
    if (model_id(i) != scenario.start.model) chain.push_back(model_id(i));
  }
  return {chain};
}

// Without what a placement may choose freely.
Placement plain(const Placement& at) { return {at.model, at.nodes, {}, {}}; }

const LearnSpec& true_learning(const Scenario& scenario, const RunSpec& run) {
  for (const TrueRunSpec& row : scenario.truth.runs) {
    if (row.model == run.model && row.nodes == run.nodes) return row.learn;
  }
  return run.learn;
}

const JumpSpec& true_jump(const Scenario& scenario, ModelId from, ModelId to,
                          const JumpSpec& estimate) {
  for (const TrueJumpSpec& row : scenario.truth.jumps) {
    if (row.from == from && row.to == to) return row.jump;
  }
  return estimate;
}

}  // namespace

// Builds a Problem from a scenario, with the estimates or with the truth.
class ProblemBuilder {
 public:
  enum class View { Estimates, Truth };

  ProblemBuilder(const Scenario& scenario, View view) : scenario_(scenario), view_(view) {}

  Problem build() {
    name_things();
    add_placements();
    add_model_changes();
    add_node_changes();
    add_overrides();
    set_goal_and_start();
    set_limits(problem_);
    return std::move(problem_);
  }

  static void set_limits(Problem& problem) {
    double top = problem.start_.loss.value;
    std::map<std::pair<ModelId, NodeSetId>, double> rises;
    for (const Training& t : problem.training_) {
      double& rise = rises[{t.at.model, t.at.nodes}];
      rise = std::max({rise, t.rule.expected.largest_rise(), t.rule.robust.largest_rise()});
    }
    for (const auto& [row, rise] : rises) top += rise;
    // The highest loss after at most as many switches as there are models, with no training in
    // between.
    const std::size_t models = problem.model_count();
    std::vector<double> reach(models, -1);
    reach[problem.training(problem.start_.placement).at.model.pos()] = top;
    for (std::size_t round = 0; round < models; ++round) raise(problem, reach);
    problem.ceiling_ = kHeadroom * std::max(top, *std::max_element(reach.begin(), reach.end()));
    problem.last_special_epoch_ = 0;
    for (const Training& t : problem.training_) {
      problem.last_special_epoch_ =
          std::max({problem.last_special_epoch_, t.rule.expected.last_special_epoch(),
                    t.rule.robust.last_special_epoch()});
    }
  }

 private:
  static void raise(const Problem& problem, std::vector<double>& reach) {
    const std::vector<double> before = reach;
    const auto lift = [&](ModelId from, ModelId to, const Change& change) {
      if (before[from.pos()] < 0) return;
      reach[to.pos()] = std::max(reach[to.pos()], higher(change.jump, before[from.pos()]));
    };
    for (std::size_t from = 0; from < before.size(); ++from) {
      for (std::size_t to = 0; to < before.size(); ++to) {
        const auto& change = problem.model_change(model_id(from), model_id(to));
        if (change) lift(model_id(from), model_id(to), *change);
      }
    }
    for (const auto& [pair, change] : problem.overrides_) {
      if (change) lift(pair.from_model, pair.to_model, *change);
    }
  }

  void name_things() {
    for (const ModelSpec& model : scenario_.models) problem_.model_names_.push_back(model.name);
    for (const NodeSetSpec& nodes : scenario_.node_sets) {
      problem_.node_set_names_.push_back(nodes.name);
      auto& levels = problem_.level_names_.emplace_back();
      for (const LevelSpec& level : nodes.levels) levels.push_back(level.name);
      auto& data = problem_.data_names_.emplace_back();
      for (const DataOptionSpec& option : nodes.data_options) data.push_back(option.name);
    }
    problem_.chains_ = chains_of(scenario_);
  }

  void add_placements() {
    for (const RunSpec& run : scenario_.runs) {
      const NodeSetSpec& nodes = scenario_.node_sets[run.nodes.pos()];
      const std::size_t options = std::max<std::size_t>(1, nodes.data_options.size());
      const std::size_t levels = std::max<std::size_t>(1, nodes.levels.size());
      for (std::size_t i = 0; i < options * levels; ++i) {
        problem_.training_.push_back(training(run, nodes, {static_cast<std::int32_t>(i / levels)},
                                              {static_cast<std::int32_t>(i % levels)}));
      }
    }
    mark_payments();
  }

  // Every node set with something to be paid once gets a mark of its own.
  void mark_payments() {
    std::map<NodeSetId, std::uint64_t> marks;
    for (const Training& t : problem_.training_) {
      if (t.once.value > 0) marks[t.at.nodes] = 0;
    }
    if (marks.size() > 64) {
      throw Error(ErrorCode::BadInput,
                  "more than 64 node sets have data with an energy that is paid once",
                  "leave 'once' out where it hardly matters");
    }
    std::uint64_t next = 1;
    for (auto& [nodes, mark] : marks) {
      mark = next;
      next <<= 1U;
    }
    for (Training& t : problem_.training_) {
      if (t.once.value > 0) t.once_mark = marks.at(t.at.nodes);
    }
  }

  Training training(const RunSpec& run, const NodeSetSpec& nodes, DataOptionId data,
                    LevelId level) const {
    const LevelSpec at_level = nodes.levels.empty() ? LevelSpec{} : nodes.levels[level.pos()];
    const DataOptionSpec option =
        nodes.data_options.empty() ? DataOptionSpec{} : nodes.data_options[data.pos()];
    const LearnSpec& learn = view_ == View::Truth ? true_learning(scenario_, run) : run.learn;
    return {.at = {run.model, run.nodes, data, level},
            .time = run.time * (at_level.time * option.time),
            .energy = run.energy * (at_level.energy * option.energy),
            .rule = rules_of(learn, option),
            .noise = learn.noise,
            .once = option.once};
  }

  void add_model_changes() {
    const std::size_t models = scenario_.models.size();
    problem_.model_changes_.resize(models * models);
    for (const ModelChangeSpec& row : scenario_.model_changes) {
      problem_.model_changes_[row.from.pos() * models + row.to.pos()] =
          change(row.time, row.energy, row.from, row.to, row.jump);
    }
    for (std::size_t m = 0; m < models; ++m) problem_.model_changes_[m * models + m] = Change{};
  }

  void add_node_changes() {
    const std::size_t sets = scenario_.node_sets.size();
    const auto otherwise = scenario_.node_changes ? std::nullopt : std::optional<Change>(Change{});
    problem_.node_changes_.assign(sets * sets, otherwise);
    if (scenario_.node_changes) {
      for (const NodeChangeSpec& row : *scenario_.node_changes) {
        problem_.node_changes_[row.from.pos() * sets + row.to.pos()] =
            Change{.time = row.time, .energy = row.energy};
      }
    }
    for (std::size_t n = 0; n < sets; ++n) problem_.node_changes_[n * sets + n] = Change{};
  }

  void add_overrides() {
    for (const PairChangeSpec& row : scenario_.pair_changes) {
      const auto& part = problem_.model_change(row.from_model, row.to_model);
      Change total{.time = row.time, .energy = row.energy};
      if (row.jump) {
        total = change(row.time, row.energy, row.from_model, row.to_model, *row.jump);
      } else if (part) {
        total.jump = part->jump;
        total.jump_noise = part->jump_noise;
      }
      problem_.overrides_[{row.from_model, row.from_nodes, row.to_model, row.to_nodes}] = total;
    }
  }

  Change change(Seconds time, Joules energy, ModelId from, ModelId to,
                const JumpSpec& estimate) const {
    const JumpSpec& jump =
        view_ == View::Truth ? true_jump(scenario_, from, to, estimate) : estimate;
    return {time, energy, jumps_of(jump), jump.noise};
  }

  void set_goal_and_start() {
    problem_.goal_ = {scenario_.goal.loss, scenario_.goal.deadline, scenario_.goal.probability};
    problem_.start_.loss = scenario_.start.loss;
    problem_.start_.placement = start_placement();
  }

  // The first option and level of the start's model and node set; a start that cannot train is
  // added as such.
  PlacementId start_placement() {
    auto& all = problem_.training_;
    const auto is_start = [&](const Training& t) {
      return t.at.model == scenario_.start.model && t.at.nodes == scenario_.start.nodes;
    };
    auto found = std::find_if(all.begin(), all.end(), is_start);
    if (found == all.end()) {
      Training start;
      start.at = {scenario_.start.model, scenario_.start.nodes, {}, {}};
      start.possible = false;
      found = all.insert(all.end(), start);
    }
    return {static_cast<std::int32_t>(found - all.begin())};
  }

  const Scenario& scenario_;
  View view_;
  Problem problem_;
};

Problem Problem::estimated(const Scenario& scenario) {
  return ProblemBuilder(scenario, ProblemBuilder::View::Estimates).build();
}

Problem Problem::actual(const Scenario& scenario) {
  return ProblemBuilder(scenario, ProblemBuilder::View::Truth).build();
}

const std::optional<Change>& Problem::model_change(ModelId from, ModelId to) const {
  return model_changes_[from.pos() * model_names_.size() + to.pos()];
}

const std::optional<Change>& Problem::node_change(NodeSetId from, NodeSetId to) const {
  return node_changes_[from.pos() * node_set_names_.size() + to.pos()];
}

std::optional<Change> Problem::change(PlacementId from, PlacementId to) const {
  const Placement& a = training(from).at;
  const Placement& b = training(to).at;
  return change({a.model, a.nodes, b.model, b.nodes});
}

std::optional<Change> Problem::change(const Pair& pair) const {
  if (!overrides_.empty()) {
    const auto row = overrides_.find(pair);
    if (row != overrides_.end()) return row->second;
  }
  const auto& models = model_change(pair.from_model, pair.to_model);
  const auto& nodes = node_change(pair.from_nodes, pair.to_nodes);
  if (!models || !nodes) return std::nullopt;
  return Change{models->time + nodes->time, models->energy + nodes->energy, models->jump,
                models->jump_noise};
}

std::string Problem::name_of(PlacementId p) const {
  const Placement& at = training(p).at;
  std::string name = model_names_[at.model.pos()] + " on " + node_set_names_[at.nodes.pos()];
  std::string extra;
  const auto& levels = level_names_[at.nodes.pos()];
  if (!levels.empty()) extra = levels[at.level.pos()];
  const auto& data = data_names_[at.nodes.pos()];
  if (!data.empty()) extra += (extra.empty() ? "" : ", ") + data[at.data.pos()];
  return extra.empty() ? name : name + " (" + extra + ")";
}

Problem Problem::with_goal(Goal goal) const {
  Problem copy = *this;
  copy.goal_ = goal;
  return copy;
}

Problem Problem::without(PlacementId p) const {
  Problem copy = *this;
  copy.training_[p.pos()].possible = false;
  return copy;
}

Problem Problem::only(const MoveFilter& allowed) const {
  Problem copy = *this;
  for (const Training& from : training_) {
    for (const Training& to : training_) {
      const Pair pair{from.at.model, from.at.nodes, to.at.model, to.at.nodes};
      const bool stays = pair.from_model == pair.to_model && pair.from_nodes == pair.to_nodes;
      if (stays || allowed(plain(from.at), plain(to.at))) continue;
      copy.overrides_[pair] = std::nullopt;
    }
  }
  return copy;
}

Problem Problem::starting_at(const State& start) const {
  Problem copy = *this;
  copy.start_ = start;
  return copy;
}

Problem Problem::with_data(const DataSelection& data) const {
  Problem copy = *this;
  std::uint64_t paid = start_.paid;
  for (Training& t : copy.training_) {
    if (data[t.at.nodes.pos()] != t.at.data) {
      t.possible = false;
    } else if ((paid & t.once_mark) != t.once_mark) {
      paid |= t.once_mark;
      copy.start_.energy += t.once;
    }
    t.once = {};
    t.once_mark = 0;
  }
  return copy;
}

Problem Problem::unlucky(double z, int epochs) const {
  Problem copy = *this;
  for (Training& t : copy.training_) {
    // The luck of single epochs averages out over many.
    const double sigma =
        std::sqrt(t.noise.run * t.noise.run + t.noise.epoch * t.noise.epoch / std::max(1, epochs));
    const double factor = portable_exp(-z * sigma - 0.5 * t.noise.run * t.noise.run);
    t.rule.expected = t.rule.expected.scaled(std::min(1.0, factor));
  }
  const auto worsen = [&](Change& change) {
    double& add = change.jump.expected.add;
    const double factor = portable_exp(std::max(0.0, z) * change.jump_noise);
    add = add > 0 ? add * factor : add / factor;
  };
  for (auto& change : copy.model_changes_) {
    if (change) worsen(*change);
  }
  for (auto& [pair, change] : copy.overrides_) {
    if (change) worsen(*change);
  }
  ProblemBuilder::set_limits(copy);
  return copy;
}

Problem Problem::with_views(const std::vector<LearningView>& learning,
                            const std::vector<JumpView>& jumps) const {
  Problem copy = *this;
  ESPALIER_CHECK(learning.size() == copy.training_.size());
  for (std::size_t i = 0; i < learning.size(); ++i) {
    copy.training_[i].rule = learning[i].rule;
    copy.training_[i].noise = learning[i].noise;
  }
  for (const JumpView& view : jumps) {
    const auto believe = [&](Change& change) {
      change.jump = view.jump;
      change.jump_noise = view.noise;
    };
    if (view.nodes) {
      const Pair pair{view.from, view.nodes->from, view.to, view.nodes->to};
      std::optional<Change> change = copy.change(pair);
      if (!change) continue;
      believe(*change);
      copy.overrides_[pair] = change;
      continue;
    }
    auto& part = copy.model_changes_[view.from.pos() * model_count() + view.to.pos()];
    if (part) believe(*part);
    for (auto& [pair, change] : copy.overrides_) {
      if (change && pair.from_model == view.from && pair.to_model == view.to) believe(*change);
    }
  }
  ProblemBuilder::set_limits(copy);
  return copy;
}

Problem Problem::with_bias(ModelId model, double bias) const {
  Problem copy = *this;
  for (Training& t : copy.training_) {
    if (t.at.model == model)
      t.rule = {t.rule.expected.scaled(1 + bias), t.rule.robust.scaled(1 + bias)};
  }
  ProblemBuilder::set_limits(copy);
  return copy;
}

}  // namespace espalier
