// SPDX-License-Identifier: Apache-2.0
#include "search/grid_bound.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/infinite.h"

namespace espalier {
namespace {

// Stands for "no way known": finite, so that mixing it with anything is no NaN. Mixtures are large
// still.
constexpr double kUnknown = 1e100;
bool is_known(double value) { return value < 1e50; }

constexpr int kMaxSweeps = 60;
// Longer plans are not looked for.
constexpr std::size_t kMaxEpochs = 50'000;
// Sweeps end when no value falls by more than this share of the cheapest epoch.
constexpr double kSettled = 1e-9;

// Knots of a placement lie one epoch apart unless that is less than this share of a shared cell, or
// they would be too many.
constexpr double kLeastStep = 0.05;
constexpr std::size_t kMostOwnKnots = 1200;

// Down from the highest loss epoch by epoch; where these become too short, as on the shared grid.
std::vector<double> losses_after_epochs(const LearningRule& rule, const LossGrid& shared) {
  std::vector<double> losses{shared.knot(shared.size() - 1)};
  std::size_t cell = shared.size() - 2;
  for (double loss = losses.back(); losses.size() < kMaxEpochs;) {
    const double next = rule.next(1, loss);
    while (cell > 0 && shared.knot(cell) >= loss) --cell;
    const double least = kLeastStep * (shared.knot(cell + 1) - shared.knot(cell));
    if (!(next > shared.knot(0) + 0.1 * least) || loss - next < least) break;
    losses.push_back(loss = next);
  }
  const std::size_t every = 1 + losses.size() / kMostOwnKnots;
  std::vector<double> knots;
  for (std::size_t k = 0; k < losses.size(); k += every) knots.push_back(losses[k]);
  if (rule.next(1, knots.back()) > shared.knot(0)) {
    for (std::size_t i = shared.size() - 1; i-- > 1;) {
      if (shared.knot(i) < 0.999 * knots.back()) knots.push_back(shared.knot(i));
    }
  }
  knots.push_back(shared.knot(0));
  std::reverse(knots.begin(), knots.end());
  return knots;
}

// Concave as a function of the loss.
bool is_concave(const LearningRule& rule) {
  const auto* power = std::get_if<PowerRule>(&rule.shape());
  return power && power->power >= 1;
}

}  // namespace

std::optional<GridMap> GridMap::of(const SearchGraph& graph, std::size_t cells) {
  const Problem& problem = graph.problem();
  if (graph.layers() > 1 || !graph.is_free() || problem.has_pair_overrides()) return {};
  if (!(problem.goal().loss_bound().value < graph.ceiling())) return {};
  for (const Training& t : problem.placements()) {
    if (!is_concave(t.rule[graph.estimator()])) return {};
  }
  return GridMap(graph, cells);
}

GridMap::GridMap(const SearchGraph& graph, std::size_t cells)
    : graph_(&graph),
      shared_(graph.problem().goal().loss_bound().value, graph.ceiling(), cells),
      first_rows_{0},
      placements_(graph.problem().size()),
      models_(graph.problem().model_count()),
      sets_(graph.problem().node_set_count()),
      jumps_(models_ * models_ * shared_.size()) {
  const Problem& problem = graph.problem();
  for (const Training& t : problem.placements()) {
    sites_.push_back(t.at.model.pos() * sets_ + t.at.nodes.pos());
    add_own_grid(t.rule[graph.estimator()]);
  }
  for (std::size_t p = 0; p < placements_; ++p) siblings_.push_back(siblings_of(p));
  for (std::size_t i = 0; i < shared_nodes(); ++i)
    first_rows_.push_back(first_rows_.back() + shared_.size());
  for (const LossGrid& own : own_) first_rows_.push_back(first_rows_.back() + own.size());
  for (std::size_t m = 0; m < models_ * models_; ++m) {
    const auto& change = problem.model_change({static_cast<std::int32_t>(m / models_)},
                                              {static_cast<std::int32_t>(m % models_)});
    if (!change) continue;
    const Jump& jump = change->jump[graph.estimator()];
    for (std::size_t i = 0; i < shared_.size(); ++i)
      jumps_[m * shared_.size() + i] = shared_.find(jump.scale * shared_.knot(i) + jump.add);
  }
}

void GridMap::add_own_grid(const LearningRule& rule) {
  const LossGrid& own = own_.emplace_back(losses_after_epochs(rule, shared_));
  for (const double loss : own.knots()) {
    stays_.push_back(own.find(rule.next(1, loss)));
    leaves_.push_back(shared_.find(loss));
  }
  for (const double loss : shared_.knots()) epochs_.push_back(own.find(rule.next(1, loss)));
  first_rows_.push_back(first_rows_.back() + own.size());
}

std::vector<GridMap::Sibling> GridMap::siblings_of(std::size_t placement) const {
  std::vector<Sibling> siblings;
  for (std::size_t q = 0; q < placements_; ++q) {
    if (q == placement || sites_[q] != sites_[placement]) continue;
    const LearningRule& rule = graph_->problem().placements()[q].rule[graph_->estimator()];
    Sibling& sibling = siblings.emplace_back(Sibling{q, {}});
    for (const double loss : own_[placement].knots())
      sibling.spots.push_back(own_[q].find(rule.next(1, loss)));
  }
  return siblings;
}

// Values by shared knot, then model, then node set: `coming_` before the epoch, `switched_` and
// `moved_` with the nodes already changed, `leaving_` after an epoch, for another model or other
// nodes.
// By row of the placement's own grid, after an epoch: `ready_` wherever the plan goes, `passing_`
// if it will leave, now or later.
class GridSweep {
 public:
  GridSweep(const GridMap& map, double energy_weight, double time_weight,
            const std::vector<ModelId>& last)
      : map_(map),
        width_(map.models_ * map.sets_),
        knots_(map.shared_.size()),
        coming_(width_ * knots_, kUnknown),
        switched_(coming_),
        moved_(coming_),
        leaving_(coming_),
        ready_(map.placement_rows(), kUnknown),
        passing_(ready_),
        sharing_(width_, 0),
        falls_(map.models_) {
    const Problem& problem = map.graph_->problem();
    const auto cost = [&](Joules energy, Seconds time) {
      return energy_weight * energy.value + time_weight * time.value;
    };
    for (const Training& t : problem.placements()) {
      epoch_costs_.push_back(t.possible ? cost(t.energy, t.time) : kUnknown);
      least_epoch_ = std::min(least_epoch_, epoch_costs_.back());
      const std::size_t p = epoch_costs_.size() - 1;
      ++sharing_[map.sites_[p]];
      if (last.empty() || std::find(last.begin(), last.end(), t.at.model) != last.end())
        ready_[map.first_rows_[p]] = 0;
    }
    for (std::size_t m = 0; m < map.models_ * map.models_; ++m) {
      const auto& c = problem.model_change({static_cast<std::int32_t>(m / map.models_)},
                                           {static_cast<std::int32_t>(m % map.models_)});
      model_costs_.push_back(c ? cost(c->energy, c->time) : kUnknown);
    }
    for (std::size_t n = 0; n < map.sets_ * map.sets_; ++n) {  // by target, then origin
      const auto& c = problem.node_change({static_cast<std::int32_t>(n % map.sets_)},
                                          {static_cast<std::int32_t>(n / map.sets_)});
      node_costs_.push_back(c ? cost(c->energy, c->time) : kUnknown);
    }
  }

  void run() {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      std::fill(falls_.begin(), falls_.end(), sweep == 0 ? kInfinite : 0);
      for (std::size_t p = 0; p < map_.placements_; ++p) settle(p, ready_);
      if (*std::max_element(falls_.begin(), falls_.end()) <= kSettled * least_epoch_) break;
      for (std::size_t i = 0; i < knots_; ++i) come(i);
      for (std::size_t i = 0; i < knots_; ++i) {
        for (std::size_t m = 0; m < map_.models_; ++m) {
          if (change_models(m, i)) change_nodes(m, i);
        }
      }
    }
    for (std::size_t p = 0; p < map_.placements_; ++p) settle(p, passing_);
  }

  // By row. Before an epoch, without its own cost.
  std::vector<double> values() const {
    std::vector<double> values;
    values.reserve(map_.rows());
    const auto add_after_epoch = [&](const std::vector<double>& rows) {
      for (std::size_t p = 0; p < map_.placements_; ++p) {
        for (const LossGrid::Spot& spot : stays(p)) values.push_back(after(of(rows, p), spot));
      }
    };
    add_after_epoch(ready_);
    for (std::size_t site = 0; site < width_; ++site) {
      for (std::size_t i = 0; i < knots_; ++i) values.push_back(moved_[i * width_ + site]);
    }
    for (std::size_t site = 0; site < width_; ++site) {
      for (std::size_t i = 0; i < knots_; ++i) values.push_back(leaving(site, i));
    }
    for (std::size_t site = 0; site < width_; ++site) {
      for (std::size_t i = 0; i < knots_; ++i) values.push_back(switched_[i * width_ + site]);
    }
    add_after_epoch(passing_);
    return values;
  }

  // By how much an arc's inequality fails at worst, epoch included, relative to the epoch's cost.
  double worst_violation() const {
    double of_jumps = 0;
    for (std::size_t m = 0; m < map_.models_ * map_.models_; ++m) {
      if (is_known(model_costs_[m])) of_jumps = std::max(of_jumps, violation_of_jumps(m));
    }
    double of_epochs = 0;
    for (std::size_t p = 0; p < map_.placements_; ++p) {
      if (is_known(epoch_costs_[p])) of_epochs = std::max(of_epochs, violation_of_epochs(p));
    }
    return (of_jumps + of_epochs) / least_epoch_;
  }

 private:
  // For siblings, too.
  double leaving(std::size_t site, std::size_t i) const {
    const double least = leaving_[i * width_ + site];
    const double stays = node_costs_[site % map_.sets_ * (map_.sets_ + 1)];
    return sharing_[site] > 1 ? std::min(least, stays + moved_[i * width_ + site]) : least;
  }

  // Rows of placements.
  const double* of(const std::vector<double>& rows, std::size_t p) const {
    return rows.data() + map_.first_rows_[p];
  }
  std::span<const LossGrid::Spot> stays(std::size_t p) const {
    return {map_.stays_.data() + map_.first_rows_[p], map_.own_[p].size()};
  }

  static void lower(double& value, double to, double& largest_fall) {
    if (!(to < value)) return;
    largest_fall = std::max(largest_fall, value - to);
    value = to;
  }

  // From the goal's loss up: stay, or leave. At the goal's loss a plan is complete, or, with the
  // wrong last model, none at all.
  void settle(std::size_t p, std::vector<double>& rows) {
    double* here = rows.data() + map_.first_rows_[p];
    double& fall = falls_[map_.sites_[p] / map_.sets_];
    lower(here[0], std::max(0.0, going(p, 0)), fall);
    for (std::size_t k = 1; k < map_.own_[p].size(); ++k) {
      if (is_known(epoch_costs_[p])) lower(here[k], staying(p, here, k), fall);
      lower(here[k], going(p, k), fall);
    }
  }

  double going(std::size_t p, std::size_t k) const {
    const LossGrid::Spot& spot = map_.leaves_[map_.first_rows_[p] + k];
    const double* low = leaving_.data() + map_.sites_[p] + spot.cell * width_;
    double least = mix(low[0], low[width_], spot.share);
    for (const GridMap::Sibling& s : map_.siblings_[p])
      least = std::min(least, sibling_cost(s) + after(of(ready_, s.placement), s.spots[k]));
    return least;
  }

  double sibling_cost(const GridMap::Sibling& sibling) const {
    const std::size_t model = map_.sites_[sibling.placement] / map_.sets_;
    const std::size_t nodes = map_.sites_[sibling.placement] % map_.sets_;
    return node_costs_[nodes * (map_.sets_ + 1)] + model_costs_[model * (map_.models_ + 1)] +
           epoch_costs_[sibling.placement];
  }

  // Solved for the value itself where an epoch does not even cross a cell.
  double staying(std::size_t p, const double* here, std::size_t k) const {
    const LossGrid::Spot& spot = stays(p)[k];
    if (spot.cell + 1 < k) return epoch_costs_[p] + after(here, spot);
    return spot.share < 1 ? here[k - 1] + epoch_costs_[p] / (1 - spot.share) : kUnknown;
  }

  // Mixtures with the unknown are unknown. Only below the first knot is the share negative.
  static double mix(double low, double high, double share) {
    return share < 0 && !is_known(high) ? kUnknown : (1 - share) * low + share * high;
  }
  static double after(const double* here, const LossGrid::Spot& spot) {
    return mix(here[spot.cell], here[spot.cell + 1], spot.share);
  }

  bool has_fallen(std::size_t model) const { return falls_[model] > kSettled * least_epoch_; }

  void come(std::size_t i) {
    for (std::size_t p = 0; p < map_.placements_; ++p) {
      if (!has_fallen(map_.sites_[p] / map_.sets_)) continue;
      double& value = coming_[i * width_ + map_.sites_[p]];
      value = std::min(value, epoch_costs_[p] + after(of(ready_, p), map_.epochs_[p * knots_ + i]));
    }
  }

  // To models whose values have fallen. Whether that lowers anything.
  bool change_models(std::size_t from, std::size_t i) {
    double* switched = switched_.data() + i * width_ + from * map_.sets_;
    double* moved = moved_.data() + i * width_ + from * map_.sets_;
    bool is_lower = false;
    for (std::size_t to = 0; to < map_.models_; ++to) {
      if (has_fallen(to)) is_lower |= change_model(from, to, i, to == from ? moved : switched);
    }
    for (std::size_t n = 0; n < map_.sets_; ++n) moved[n] = std::min(moved[n], switched[n]);
    return is_lower;
  }

  bool change_model(std::size_t from, std::size_t to, std::size_t i, double* row) const {
    const std::size_t change = from * map_.models_ + to;
    if (!is_known(model_costs_[change])) return false;
    const LossGrid::Spot spot = map_.jumps_[change * knots_ + i];
    const double* low = coming_.data() + spot.cell * width_ + to * map_.sets_;
    const double* high = low + width_;
    double most = 0;
    const auto lower_to = [&](std::size_t n, double value) {
      most = std::max(most, row[n] - value);
      row[n] = std::min(row[n], value);
    };
    if (spot.share < 0) {
      for (std::size_t n = 0; n < map_.sets_; ++n)
        lower_to(n, model_costs_[change] + mix(low[n], high[n], spot.share));
    } else {
      const double rest = 1 - spot.share;
      for (std::size_t n = 0; n < map_.sets_; ++n)
        lower_to(n, model_costs_[change] + rest * low[n] + spot.share * high[n]);
    }
    return most > 0;
  }

  // To other nodes, or, on the same, to another model.
  void change_nodes(std::size_t m, std::size_t i) {
    const std::size_t first = i * width_ + m * map_.sets_;
    double* least = leaving_.data() + first;
    for (std::size_t to = 0; to < map_.sets_; ++to) {
      const double* costs = node_costs_.data() + to * map_.sets_;
      const double moved = moved_[first + to];
      const double same_nodes = std::min(least[to], costs[to] + switched_[first + to]);
      for (std::size_t from = 0; from < map_.sets_; ++from)
        least[from] = std::min(least[from], costs[from] + moved);
      least[to] = same_nodes;
    }
  }

  // --- is every inequality true? ---

  double violation_of_jumps(std::size_t change) const {
    const Rows here{moved_.data() + change / map_.models_ * map_.sets_, width_, map_.sets_};
    const Rows there{coming_.data() + change % map_.models_ * map_.sets_, width_, map_.sets_};
    return violation(here, model_costs_[change], there, map_.shared_,
                     {map_.jumps_.data() + change * knots_, knots_});
  }

  double violation_of_epochs(std::size_t p) const {
    const Rows coming{coming_.data() + map_.sites_[p], width_, 1};
    return violation(coming, epoch_costs_[p], {of(ready_, p), 1, 1}, map_.own_[p],
                     {map_.epochs_.data() + p * knots_, knots_}) +
           std::max(violation_of_stages(p, of(ready_, p)), violation_of_stages(p, of(passing_, p)));
  }

  double violation_of_stages(std::size_t p, const double* here) const {
    std::vector<double> next;  // what values() gives
    for (const LossGrid::Spot& spot : stays(p)) next.push_back(after(here, spot));
    double worst = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (is_known(next[k])) worst = std::max(worst, here[k] - epoch_costs_[p] - next[k]);
    }
    for (const GridMap::Sibling& s : map_.siblings_[p]) {
      worst =
          std::max(worst, violation({here, 1, 1}, sibling_cost(s), {of(ready_, s.placement), 1, 1},
                                    map_.own_[s.placement], s.spots));
    }
    const Rows leaving{leaving_.data() + map_.sites_[p], width_, 1};
    return worst + violation({next.data(), 1, 1}, 0, {here, 1, 1}, map_.own_[p], stays(p)) +
           violation({here, 1, 1}, 0, leaving, map_.shared_,
                     {map_.leaves_.data() + map_.first_rows_[p], next.size()});
  }

  // Some values side by side for each knot, and how far apart knots are in memory.
  struct Rows {
    const double* first;
    std::size_t stride;
    std::size_t count;
    const double* at(std::size_t knot) const { return first + knot * stride; }
  };

  // The most by which `here` exceeds `cost` + `there` anywhere: both are linear between knots, and
  // so is where one lands, so it suffices to look at the knots of both. `spots` are those of the
  // knots here, on the grid there.
  static double violation(Rows here, double cost, Rows there, const LossGrid& grid,
                          std::span<const LossGrid::Spot> spots) {
    double worst = 0;
    const auto compare = [&](std::size_t i, double along, std::size_t k, double share) {
      const double* a = here.at(i);
      const double* b = here.at(std::min(i + 1, spots.size() - 1));
      const double* c = there.at(k);
      const double* d = there.at(std::min(k + 1, grid.size() - 1));
      for (std::size_t n = 0; n < here.count; ++n) {
        const double most = cost + mix(c[n], d[n], share);
        const double excess = mix(a[n], b[n], along) - most;
        worst = is_known(most) && excess > worst ? excess : worst;
      }
    };
    const auto loss_at = [&](const LossGrid::Spot& spot) {
      return grid.knot(spot.cell) + spot.share * (grid.knot(spot.cell + 1) - grid.knot(spot.cell));
    };
    for (std::size_t i = 0; i < spots.size(); ++i) {
      compare(i, 0, spots[i].cell, spots[i].share);
      if (i + 1 == spots.size() || spots[i].cell == spots[i + 1].cell) continue;
      const double first = loss_at(spots[i]);
      const double last = loss_at(spots[i + 1]);
      for (std::size_t k = spots[i].cell + 1; k <= spots[i + 1].cell; ++k) {
        const double along = (grid.knot(k) - first) / (last - first);
        if (along > 0 && along < 1) compare(i, along, k, 0);
      }
    }
    return worst;
  }

  const GridMap& map_;
  const std::size_t width_;
  const std::size_t knots_;
  std::vector<double> epoch_costs_;
  std::vector<double> model_costs_;
  std::vector<double> node_costs_;
  std::vector<double> coming_;
  std::vector<double> switched_;
  std::vector<double> moved_;
  std::vector<double> leaving_;
  std::vector<double> ready_;
  std::vector<double> passing_;
  std::vector<int> sharing_;  // how many placements share model and nodes
  double least_epoch_ = kInfinite;
  std::vector<double> falls_;  // of each model's values in this sweep, at most
};

GridBound::GridBound(std::shared_ptr<const GridMap> map, double energy_weight, double time_weight,
                     const std::vector<ModelId>& last)
    : CostBound(energy_weight, time_weight), map_(std::move(map)) {
  GridSweep sweep(*map_, energy_weight, time_weight, last);
  sweep.run();
  values_ = sweep.values();
  scale_ = 1 / (1 + sweep.worst_violation());
  for (double& value : values_) value *= scale_;
}

double GridBound::from(const State& state) const {
  double least = kInfinite;
  for (const Arc& arc : map_->graph().arcs_from(state)) {
    const double arrival = arc.jump.apply(state.loss.value);
    least = std::min(least, arc.cost(energy_weight(), time_weight()) + on_arrival(arc.to, arrival));
  }
  return is_known(least) ? least : kInfinite;
}

std::vector<PlacementId> GridBound::cheapest_path(const State& state) const {
  const SearchGraph& graph = map_->graph();
  const double target = graph.problem().goal().loss_bound().value;
  const double most = 2 * from(state);  // a way that costs more leads nowhere
  if (!(most < kInfinite)) return {};
  std::vector<PlacementId> path;
  double spent = 0;
  double loss = state.loss.value;
  const auto best_of = [&](std::span<const Arc> arcs) {
    const Arc* best = nullptr;
    double least = kUnknown;
    for (const Arc& arc : arcs) {
      const double arrival = arc.jump.apply(loss);
      if (arrival > graph.ceiling() && arrival > loss) continue;
      const double cost = arc.cost(energy_weight(), time_weight()) + on_arrival(arc.to, arrival);
      if (!(cost < least)) continue;
      least = cost;
      best = &arc;
    }
    return best;
  };
  const std::vector<Arc> first = graph.arcs_from(state);
  const Arc* arc = best_of(first);
  while (arc && spent < most && path.size() < kMaxEpochs) {
    spent += arc->cost(energy_weight(), time_weight());
    loss = graph.arrive(arc->to, arc->jump.apply(loss));
    const SearchGraph::Site& site = graph.site(arc->to);
    if (site.trains) path.push_back(site.placement);
    if (site.trains && loss <= target) return path;
    arc = best_of(graph.arcs(arc->to));
  }
  return {};
}

}  // namespace espalier
