// SPDX-License-Identifier: Apache-2.0
// Idea:       depth first over the lengths of the stages. Whatever reaches the goal with every
//             model used is kept as the cheapest of its margin; the narrowest margin that has one
//             wins.
// Complexity: O(product of the stages' lengths · placements of each model).
#include "replay/traced_even_course.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

// Largest contribution over smallest, as strategies/static_learn.cpp widens it.
constexpr std::array kMargins{1.05, 1.1, 1.15, 1.2, 1.3, 1.5, 2.0, 3.0, kAny};

struct KeptEven {
  Plan course;
  double spread = 1;  // largest contribution over smallest
};

class EvenSearch {
 public:
  EvenSearch(const TracedWorld& world, const Problem& problem, std::stop_token stop)
      : world_(world), problem_(problem), stop_(std::move(stop)) {}

  PlanResult find(const Replay& begin) {
    for (const auto& chain : problem_.model_chains()) {
      chain_ = trainable(chain);
      if (!chain_.empty()) enter(begin, problem_.start(), 0, {});
    }
    return told();
  }

 private:
  struct Evenness {
    double least = kAny;
    double most = 0;
    Evenness with(double one) const { return {std::min(least, one), std::max(most, one)}; }
  };

  std::vector<ModelId> trainable(std::vector<ModelId> chain) const {
    std::erase_if(chain, [&](ModelId model) {
      return std::ranges::none_of(problem_.placements(), [&](const Training& t) {
        return t.at.model == model && t.possible;
      });
    });
    return chain;
  }

  // On to the next model, wherever it can train.
  void enter(const Replay& replay, const State& now, std::size_t stage, const Evenness& before) {
    for (std::size_t i = 0; i < problem_.size(); ++i) {
      const PlacementId to{static_cast<std::int32_t>(i)};
      const Training& training = problem_.training(to);
      const auto change = problem_.change(now.placement, to);
      if (training.at.model != chain_[stage] || !training.possible || !change) continue;
      Replay there = replay;
      if (world_.change(there, training.at)) stay(std::move(there), now, to, *change, before);
    }
  }

  void stay(Replay replay, State now, PlacementId at, Change change, const Evenness& before) {
    const std::size_t length = steps_.size();
    const double arrival = replay.loss();
    const std::size_t stage = stage_of(at);
    while (!replay.is_at_end() && !stop_.stop_requested()) {
      replay.train();
      now = state_after(problem_, now, at, change, Loss{replay.loss()});
      change = {};
      steps_.push_back({now.placement, now.loss, now.time, now.energy, now.paid});
      if (now.time > problem_.goal().time_bound() || is_too_dear(now)) break;
      const Evenness all = before.with(arrival - now.loss.value);
      const bool is_last = stage + 1 == chain_.size();
      if (problem_.goal().reached(now.loss, now.time)) {
        if (is_last) keep(all);
        break;
      }
      if (!is_last) enter(replay, now, stage + 1, all);
    }
    steps_.resize(length);
  }

  std::size_t stage_of(PlacementId at) const {
    const ModelId model = problem_.training(at).at.model;
    return static_cast<std::size_t>(std::ranges::find(chain_, model) - chain_.begin());
  }

  // Nothing is better than the cheapest of the narrowest margin.
  bool is_too_dear(const State& now) const {
    return kept_[0] && now.energy >= kept_[0]->course.end().energy;
  }

  void keep(const Evenness& all) {
    const double spread = all.least > 0 ? all.most / all.least : kAny;
    const auto margin =
        static_cast<std::size_t>(std::ranges::lower_bound(kMargins, spread) - kMargins.begin());
    auto& kept = kept_[margin];
    if (kept && steps_.back().energy >= kept->course.end().energy) return;
    kept = KeptEven{Plan{problem_.start(), steps_}, spread};
  }

  PlanResult told() const {
    PlanResult result;
    if (stop_.stop_requested()) result.verdict = Verdict::Limit;
    const auto found =
        std::ranges::find_if(kept_, [](const auto& kept) { return kept.has_value(); });
    if (found == kept_.end()) return result;
    if (!stop_.stop_requested()) result.verdict = Verdict::Feasible;
    result.plan = (*found)->course;
    if (found != kept_.begin())
      result.notes.push_back(
          fmt::format("no course has contributions within 5 %; the largest of this one is {:.2f} "
                      "times the smallest",
                      (*found)->spread));
    return result;
  }

  const TracedWorld& world_;
  const Problem& problem_;
  const std::stop_token stop_;
  std::vector<ModelId> chain_;
  std::vector<Step> steps_;
  std::array<std::optional<KeptEven>, kMargins.size()> kept_;
};

}  // namespace

PlanResult traced_even_course(const TracedWorld& world, const Problem& problem, std::size_t run,
                              std::stop_token stop) {
  return EvenSearch(world, problem, std::move(stop)).find(world.begin(run));
}

}  // namespace espalier
