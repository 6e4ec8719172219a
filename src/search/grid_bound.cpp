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
  for (const Training& t : problem.placements()) add_own_grid(t.rule[graph.estimator()]);
  for (auto node = static_cast<NodeIndex>(placements_); node < graph.size(); ++node)
    first_rows_.push_back(first_rows_.back() + shared_.size());
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

// Values by shared knot, then model, then node set: `coming_` before the epoch, `switched_` and
// `moved_` with the nodes already changed, `leaving_` after an epoch, if the next one is elsewhere.
// `ready_`, after an epoch wherever the next one is, by row of the placement's own grid.
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
        ready_(map.first_rows_[map.placements_], kUnknown),
        alone_(width_, 0) {
    const Problem& problem = map.graph_->problem();
    const auto cost = [&](Joules energy, Seconds time) {
      return energy_weight * energy.value + time_weight * time.value;
    };
    for (const Training& t : problem.placements()) {
      epoch_costs_.push_back(t.possible ? cost(t.energy, t.time) : kUnknown);
      sites_.push_back(t.at.model.pos() * map.sets_ + t.at.nodes.pos());
      least_epoch_ = std::min(least_epoch_, epoch_costs_.back());
      ++alone_[sites_.back()];
      if (last.empty() || std::find(last.begin(), last.end(), t.at.model) != last.end())
        ready_[map.first_rows_[sites_.size() - 1]] = 0;
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
      largest_fall_ = 0;
      for (std::size_t p = 0; p < map_.placements_; ++p) settle(p);
      if (sweep > 0 && largest_fall_ <= kSettled * least_epoch_) break;
      for (std::size_t i = 0; i < knots_; ++i) come(i);
      for (std::size_t i = 0; i < knots_; ++i) {
        change_models(i);
        change_nodes(i);
      }
    }
  }

  // By row. Before an epoch, without its own cost.
  std::vector<double> values() const {
    std::vector<double> values;
    values.reserve(map_.rows());
    for (std::size_t p = 0; p < map_.placements_; ++p) {
      for (std::size_t k = 0; k < map_.own_[p].size(); ++k) values.push_back(after_epoch(p, k));
    }
    for (std::size_t site = 0; values.size() < map_.rows(); ++site) {
      for (std::size_t i = 0; i < knots_; ++i) values.push_back(moved_[i * width_ + site]);
    }
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
  double* ready(std::size_t p) { return ready_.data() + map_.first_rows_[p]; }
  const double* ready(std::size_t p) const { return ready_.data() + map_.first_rows_[p]; }

  void lower(double& value, double to) {
    if (!(to < value)) return;
    largest_fall_ = std::max(largest_fall_, value - to);
    value = to;
  }

  // From the goal's loss up: stay, or leave. At the goal's loss a plan is complete, or, with the
  // wrong last model, none at all.
  void settle(std::size_t p) {
    const double* leaving = leaving_.data() + sites_[p];
    const std::size_t first = map_.first_rows_[p];
    double* here = ready(p);
    lower(here[0], std::max(0.0, leaving[0]));
    for (std::size_t k = 1; k < map_.own_[p].size(); ++k) {
      if (is_known(epoch_costs_[p])) lower(here[k], staying(p, k));
      const LossGrid::Spot& spot = map_.leaves_[first + k];
      const double* low = leaving + spot.cell * width_;
      lower(here[k], mix(low[0], low[width_], spot.share));
    }
  }

  // Solved for the value itself where an epoch does not even cross a cell.
  double staying(std::size_t p, std::size_t k) const {
    const LossGrid::Spot& spot = map_.stays_[map_.first_rows_[p] + k];
    if (spot.cell + 1 < k) return epoch_costs_[p] + after_epoch(p, k);
    return spot.share < 1 ? ready(p)[k - 1] + epoch_costs_[p] / (1 - spot.share) : kUnknown;
  }

  // Mixtures with the unknown are unknown. Only below the first knot is the share negative.
  static double mix(double low, double high, double share) {
    return share < 0 && !is_known(high) ? kUnknown : (1 - share) * low + share * high;
  }
  double after(std::size_t p, const LossGrid::Spot& spot) const {
    const double* low = ready(p) + spot.cell;
    return mix(low[0], low[1], spot.share);
  }
  double after_epoch(std::size_t p, std::size_t k) const {
    return after(p, map_.stays_[map_.first_rows_[p] + k]);
  }

  void come(std::size_t i) {
    std::fill_n(coming_.begin() + static_cast<std::ptrdiff_t>(i * width_), width_, kUnknown);
    for (std::size_t p = 0; p < map_.placements_; ++p) {
      double& value = coming_[i * width_ + sites_[p]];
      value = std::min(value, epoch_costs_[p] + after(p, map_.epochs_[p * knots_ + i]));
    }
  }

  void change_models(std::size_t i) {
    for (std::size_t from = 0; from < map_.models_; ++from) {
      const std::size_t first = i * width_ + from * map_.sets_;
      double* row = switched_.data() + first;
      std::fill_n(row, map_.sets_, kUnknown);
      for (std::size_t to = 0; to < map_.models_; ++to) {
        if (to != from) change_model(from, to, i, row);
      }
      std::copy_n(row, map_.sets_, moved_.data() + first);
      change_model(from, from, i, moved_.data() + first);
    }
  }

  void change_model(std::size_t from, std::size_t to, std::size_t i, double* row) const {
    const std::size_t change = from * map_.models_ + to;
    if (!is_known(model_costs_[change])) return;
    const LossGrid::Spot spot = map_.jumps_[change * knots_ + i];
    const double* low = coming_.data() + spot.cell * width_ + to * map_.sets_;
    const double* high = low + width_;
    if (spot.share < 0) {
      for (std::size_t n = 0; n < map_.sets_; ++n)
        row[n] = std::min(row[n], model_costs_[change] + mix(low[n], high[n], spot.share));
    } else {
      const double rest = 1 - spot.share;
      for (std::size_t n = 0; n < map_.sets_; ++n)
        row[n] = std::min(row[n], model_costs_[change] + rest * low[n] + spot.share * high[n]);
    }
  }

  // To other nodes, or, on the same, to another model. Placements that share model and nodes take
  // each other's epochs, too.
  void change_nodes(std::size_t i) {
    for (std::size_t m = 0; m < map_.models_; ++m) {
      const std::size_t first = i * width_ + m * map_.sets_;
      double* least = leaving_.data() + first;
      std::fill_n(least, map_.sets_, kUnknown);
      for (std::size_t to = 0; to < map_.sets_; ++to) {
        const double* costs = node_costs_.data() + to * map_.sets_;
        const double moved = moved_[first + to];
        const bool is_alone = alone_[m * map_.sets_ + to] == 1;
        const double stays = costs[to] + (is_alone ? switched_[first + to] : moved);
        const double before = std::min(least[to], stays);
        for (std::size_t from = 0; from < map_.sets_; ++from)
          least[from] = std::min(least[from], costs[from] + moved);
        least[to] = before;
      }
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
    const LossGrid& own = map_.own_[p];
    const std::size_t first = map_.first_rows_[p];
    const std::span<const LossGrid::Spot> stays{map_.stays_.data() + first, own.size()};
    const std::span<const LossGrid::Spot> leaves{map_.leaves_.data() + first, own.size()};
    const std::span<const LossGrid::Spot> epochs{map_.epochs_.data() + p * knots_, knots_};
    std::vector<double> after(own.size());  // what values() gives
    double worst = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
      after[k] = after_epoch(p, k);
      if (is_known(after[k])) worst = std::max(worst, ready(p)[k] - epoch_costs_[p] - after[k]);
    }
    const Rows here{ready(p), 1, 1};
    const Rows leaving{leaving_.data() + sites_[p], width_, 1};
    const Rows coming{coming_.data() + sites_[p], width_, 1};
    return worst + violation({after.data(), 1, 1}, 0, here, own, stays) +
           violation(coming, epoch_costs_[p], here, own, epochs) +
           violation(here, 0, leaving, map_.shared_, leaves);
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
  std::vector<std::size_t> sites_;  // model and node set of each placement
  std::vector<double> model_costs_;
  std::vector<double> node_costs_;
  std::vector<double> coming_;
  std::vector<double> switched_;
  std::vector<double> moved_;
  std::vector<double> leaving_;
  std::vector<double> ready_;
  std::vector<int> alone_;  // how many placements share model and nodes
  double least_epoch_ = kInfinite;
  double largest_fall_ = 0;
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
