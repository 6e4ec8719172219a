// SPDX-License-Identifier: Apache-2.0
#include "search/grid_bound.h"

#include <algorithm>
#include <cmath>
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
      grid_(graph.problem().goal().loss_bound().value, graph.ceiling(), cells),
      placements_(graph.problem().size()),
      models_(graph.problem().model_count()),
      sets_(graph.problem().node_set_count()),
      epochs_(placements_ * grid_.size()),
      jumps_(models_ * models_ * grid_.size()) {
  const Problem& problem = graph.problem();
  for (std::size_t p = 0; p < placements_; ++p) {
    const LearningRule& rule = problem.placements()[p].rule[graph.estimator()];
    for (std::size_t i = 0; i < grid_.size(); ++i)
      epochs_[p * grid_.size() + i] = grid_.find(rule.next(1, grid_.knot(i)));
  }
  for (std::size_t m = 0; m < models_ * models_; ++m) {
    const auto& change = problem.model_change({static_cast<std::int32_t>(m / models_)},
                                              {static_cast<std::int32_t>(m % models_)});
    if (!change) continue;
    const Jump& jump = change->jump[graph.estimator()];
    for (std::size_t i = 0; i < grid_.size(); ++i)
      jumps_[m * grid_.size() + i] = grid_.find(jump.scale * grid_.knot(i) + jump.add);
  }
}

// Values by knot, then model, then node set: `ready_` after an epoch, `moved_` with the nodes
// already changed, `coming_` before the epoch.
class GridSweep {
 public:
  GridSweep(const GridMap& map, double energy_weight, double time_weight,
            const std::vector<ModelId>& last)
      : map_(map), width_(map.models_ * map.sets_), knots_(map.grid_.size()) {
    const Problem& problem = map.graph_->problem();
    const auto cost = [&](Joules energy, Seconds time) {
      return energy_weight * energy.value + time_weight * time.value;
    };
    for (const Training& t : problem.placements()) {
      epoch_costs_.push_back(t.possible ? cost(t.energy, t.time) : kUnknown);
      sites_.push_back(t.at.model.pos() * map.sets_ + t.at.nodes.pos());
      least_epoch_ = std::min(least_epoch_, epoch_costs_.back());
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
    least_.resize(map.sets_);
    ready_.assign(width_ * knots_, kUnknown);
    moved_.assign(width_ * knots_, kUnknown);
    coming_.assign(width_ * knots_, kUnknown);
    for (std::size_t site = 0; site < width_; ++site) {
      const ModelId model{static_cast<std::int32_t>(site / map.sets_)};
      if (last.empty() || std::find(last.begin(), last.end(), model) != last.end())
        ready_[site] = 0;
    }
  }

  void run() {
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
      largest_fall_ = 0;
      for (std::size_t i = 0; i < knots_; ++i) settle(i);
      if (largest_fall_ <= kSettled * least_epoch_) break;
    }
    for (std::size_t i = 0; i < knots_; ++i) come(i);
    for (std::size_t i = 0; i < knots_; ++i) change_models(i);
  }

  // At node × knot. Before an epoch, without its own cost.
  std::vector<double> values() const {
    const auto nodes = static_cast<std::size_t>(map_.graph_->size());
    std::vector<double> values(nodes * knots_);
    for (std::size_t node = 0; node < nodes; ++node) {
      for (std::size_t i = 0; i < knots_; ++i) {
        values[node * knots_ + i] = node < map_.placements_
                                        ? after_epoch(node, i)
                                        : moved_[i * width_ + node - map_.placements_];
      }
    }
    return values;
  }

  // By how much an arc's inequality fails at worst, epoch included, relative to the epoch's cost.
  double worst_violation() const {
    double worst = 0;
    for (std::size_t i = 0; i < knots_; ++i) worst = std::max(worst, violation_of_moves(i));
    double of_jumps = 0;
    for (std::size_t m = 0; m < map_.models_ * map_.models_; ++m) {
      if (is_known(model_costs_[m])) of_jumps = std::max(of_jumps, violation_of_jumps(m));
    }
    double of_epochs = 0;
    for (std::size_t p = 0; p < map_.placements_; ++p) {
      if (is_known(epoch_costs_[p])) of_epochs = std::max(of_epochs, violation_of_epochs(p));
    }
    return (worst + of_jumps + of_epochs) / least_epoch_;
  }

 private:
  const LossGrid::Spot& landing(std::size_t placement, std::size_t knot) const {
    return map_.epochs_[placement * knots_ + knot];
  }
  const LossGrid::Spot& jump(std::size_t change, std::size_t knot) const {
    return map_.jumps_[change * knots_ + knot];
  }

  void settle(std::size_t i) {
    if (i > 0) {
      for (std::size_t p = 0; p < map_.placements_; ++p) stay(p, i);
    }
    for (int round = 0; round < 2; ++round) {
      come(i);
      change_models(i);
      move(i);
      if (i == 0) keep_slopes();
    }
  }

  // Epochs that end below the first knot go on along the line through the first two. Where the
  // first value has fallen the second must follow at once: too steep a line would let the first
  // fall again, and without end where epochs are longer than the cell.
  void keep_slopes() {
    for (std::size_t p = 0; p < map_.placements_; ++p) stay(p, 1);
  }

  void lower(double& value, double to) {
    if (!(to < value)) return;
    largest_fall_ = std::max(largest_fall_, value - to);
    value = to;
  }

  // Staying at a placement from knot `i` on: solved for the value itself where an epoch does not
  // even cross a cell.
  void stay(std::size_t p, std::size_t i) {
    const LossGrid::Spot& spot = landing(p, i);
    if (!is_known(epoch_costs_[p])) return;
    double* here = ready_.data() + sites_[p];
    if (spot.cell + 1 < i) {
      lower(here[i * width_], epoch_costs_[p] + after_epoch(p, i));
    } else if (spot.cell + 1 == i && spot.share < 1) {
      lower(here[i * width_], here[(i - 1) * width_] + epoch_costs_[p] / (1 - spot.share));
    }
  }

  // Mixtures with the unknown are unknown. Only below the first knot is the share negative.
  static double mix(double low, double high, double share) {
    return share < 0 && !is_known(high) ? kUnknown : (1 - share) * low + share * high;
  }

  void come(std::size_t i) {
    std::fill_n(coming_.begin() + static_cast<std::ptrdiff_t>(i * width_), width_, kUnknown);
    for (std::size_t p = 0; p < map_.placements_; ++p) {
      double& value = coming_[i * width_ + sites_[p]];
      value = std::min(value, epoch_costs_[p] + after_epoch(p, i));
    }
  }

  double after_epoch(std::size_t p, std::size_t i) const {
    const LossGrid::Spot& spot = landing(p, i);
    const double* ready = ready_.data() + spot.cell * width_ + sites_[p];
    return mix(ready[0], ready[width_], spot.share);
  }

  void change_models(std::size_t i) {
    for (std::size_t from = 0; from < map_.models_; ++from) {
      double* row = moved_.data() + i * width_ + from * map_.sets_;
      std::fill_n(row, map_.sets_, kUnknown);
      for (std::size_t to = 0; to < map_.models_; ++to) {
        const std::size_t change = from * map_.models_ + to;
        if (!is_known(model_costs_[change])) continue;
        const LossGrid::Spot spot = jump(change, i);
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
    }
  }

  void move(std::size_t i) {
    for (std::size_t m = 0; m < map_.models_; ++m) {
      const double* moved = moved_.data() + i * width_ + m * map_.sets_;
      std::fill(least_.begin(), least_.end(), kUnknown);
      for (std::size_t to = 0; to < map_.sets_; ++to) {
        const double* costs = node_costs_.data() + to * map_.sets_;
        for (std::size_t from = 0; from < map_.sets_; ++from)
          least_[from] = std::min(least_[from], costs[from] + moved[to]);
      }
      // At the goal's loss a plan is complete, or, with the wrong last model, none at all.
      double* ready = ready_.data() + i * width_ + m * map_.sets_;
      for (std::size_t from = 0; from < map_.sets_; ++from)
        lower(ready[from], i == 0 ? std::max(0.0, least_[from]) : least_[from]);
    }
  }

  // --- is every inequality true? ---

  double violation_of_moves(std::size_t i) const {
    double worst = 0;
    for (std::size_t site = 0; site < width_; ++site) {
      const std::size_t first = i * width_ + site / map_.sets_ * map_.sets_;
      for (std::size_t to = 0; to < map_.sets_; ++to) {
        const double most = node_costs_[to * map_.sets_ + site % map_.sets_] + moved_[first + to];
        if (is_known(most)) worst = std::max(worst, ready_[i * width_ + site] - most);
      }
    }
    return worst;
  }

  double violation_of_jumps(std::size_t change) const {
    const Rows here{moved_.data() + change / map_.models_ * map_.sets_, width_, map_.sets_};
    const Rows there{coming_.data() + change % map_.models_ * map_.sets_, width_, map_.sets_};
    return violation(here, model_costs_[change], there, map_.jumps_.data() + change * knots_);
  }

  double violation_of_epochs(std::size_t p) const {
    std::vector<double> after(knots_);  // what values() gives
    double worst = 0;
    for (std::size_t i = 0; i < knots_; ++i) {
      after[i] = after_epoch(p, i);
      if (is_known(after[i]))
        worst = std::max(worst, coming_[i * width_ + sites_[p]] - epoch_costs_[p] - after[i]);
    }
    const Rows there{ready_.data() + sites_[p], width_, 1};
    return worst + violation({after.data(), 1, 1}, 0, there, map_.epochs_.data() + p * knots_);
  }

  // Some values side by side for each knot, and how far apart knots are in memory.
  struct Rows {
    const double* first;
    std::size_t stride;
    std::size_t count;
    const double* at(std::size_t knot) const { return first + knot * stride; }
  };

  // The most by which `here` exceeds `cost` + `there` anywhere: both are linear between knots, and
  // so is where one lands, so it suffices to look at the knots of both.
  double violation(Rows here, double cost, Rows there, const LossGrid::Spot* spots) const {
    double worst = 0;
    const auto compare = [&](std::size_t i, double along, std::size_t k, double share) {
      const double* a = here.at(i);
      const double* b = here.at(std::min(i + 1, knots_ - 1));
      const double* c = there.at(k);
      const double* d = there.at(std::min(k + 1, knots_ - 1));
      for (std::size_t n = 0; n < here.count; ++n) {
        const double most = cost + mix(c[n], d[n], share);
        const double excess = mix(a[n], b[n], along) - most;
        worst = is_known(most) && excess > worst ? excess : worst;
      }
    };
    for (std::size_t i = 0; i < knots_; ++i) {
      compare(i, 0, spots[i].cell, spots[i].share);
      if (i + 1 == knots_ || spots[i].cell == spots[i + 1].cell) continue;
      const double first = loss_at(spots[i]);
      const double last = loss_at(spots[i + 1]);
      for (std::size_t k = spots[i].cell + 1; k <= spots[i + 1].cell; ++k) {
        const double along = (map_.grid_.knot(k) - first) / (last - first);
        if (along > 0 && along < 1) compare(i, along, k, 0);
      }
    }
    return worst;
  }

  double loss_at(const LossGrid::Spot& spot) const {
    return map_.grid_.knot(spot.cell) +
           spot.share * (map_.grid_.knot(spot.cell + 1) - map_.grid_.knot(spot.cell));
  }

  const GridMap& map_;
  const std::size_t width_;
  const std::size_t knots_;
  std::vector<double> epoch_costs_;
  std::vector<std::size_t> sites_;  // model and node set of each placement
  std::vector<double> model_costs_;
  std::vector<double> node_costs_;
  std::vector<double> ready_;
  std::vector<double> moved_;
  std::vector<double> coming_;
  std::vector<double> least_;  // of the node sets, while moving
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
