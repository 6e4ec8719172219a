// SPDX-License-Identifier: Apache-2.0
// Let a path fall by D (expected De, robust Dr) in its epochs and rise by J (Je, Jr) at its
// switches. If every epoch has low ≤ De/Dr ≤ ratio, if decreases never shrink with the loss and 0 ≤
// Je ≤ Jr, then
//   De − Je ≤ ratio·(Dr − Jr) + Σ (ratio·Jr − Je),
// so the opportunity is at most ratio + Σ(ratio·Jr − Je) / (Dr − Jr), and Dr − Jr is at least the
// loss still to lose. From below, rules that never decrease with the loss give De − Je ≥ low·(Dr −
// Jr).
#include "strategies/opportunity.h"

#include <algorithm>

#include "core/infinite.h"

namespace espalier {
namespace {

struct Ratio {
  double low;
  double high;
};
constexpr Ratio kUnknown{1, kInfinite};

Ratio ratio_of(const Estimated<LearningRule>& rule) {
  if (rule.expected == rule.robust) return {1, 1};
  const auto* expected = std::get_if<PowerRule>(&rule.expected.shape());
  if (!expected || rule.expected.shape() != rule.robust.shape() || rule.robust.factor() <= 0)
    return kUnknown;
  const double ratio = rule.expected.factor() / rule.robust.factor();
  if (ratio < 1) return kUnknown;
  // A decrease that is cut off at the floor is less than `ratio` times the robust one.
  const bool may_hit_floor =
      expected->power < 1 || (expected->power == 1 && expected->rate * rule.expected.factor() > 1);
  return {may_hit_floor ? 1 : ratio, ratio};
}

// Σ over the longest chain of switches would need the chain: the worst switch times their number is
// enough.
double worst_switch(const Problem& problem, double ratio) {
  double worst = 0;
  for (std::size_t a = 0; a < problem.size(); ++a) {
    for (std::size_t b = 0; b < problem.size(); ++b) {
      const auto change =
          problem.change({static_cast<std::int32_t>(a)}, {static_cast<std::int32_t>(b)});
      if (!change) continue;
      for (const double loss : {0.0, problem.ceiling()}) {
        const double expected = change->jump.expected.apply(loss) - loss;
        const double robust = change->jump.robust.apply(loss) - loss;
        if (expected < 0 || robust < expected) return kInfinite;
        worst = std::max(worst, ratio * robust - expected);
      }
    }
  }
  return worst;
}

// The most switches of models that can follow one another from `model`; -1 if there is no end to
// them.
int longest_chain(const Problem& problem, ModelId model) {
  const std::size_t models = problem.model_count();
  std::vector<std::vector<bool>> leads(models, std::vector<bool>(models, false));
  for (std::size_t a = 0; a < problem.size(); ++a) {
    for (std::size_t b = 0; b < problem.size(); ++b) {
      const Training& from = problem.training({static_cast<std::int32_t>(a)});
      const Training& to = problem.training({static_cast<std::int32_t>(b)});
      if (from.at.model == to.at.model || !to.possible) continue;
      if (problem.change({static_cast<std::int32_t>(a)}, {static_cast<std::int32_t>(b)})) {
        leads[from.at.model.pos()][to.at.model.pos()] = true;
      }
    }
  }
  std::vector<bool> at(models, false);
  at[model.pos()] = true;
  for (std::size_t length = 0; length <= models; ++length) {
    std::vector<bool> next(models, false);
    for (std::size_t a = 0; a < models; ++a) {
      for (std::size_t b = 0; at[a] && b < models; ++b) {
        if (leads[a][b]) next[b] = true;
      }
    }
    if (std::none_of(next.begin(), next.end(), [](bool is) { return is; }))
      return static_cast<int>(length);
    at = next;
  }
  return -1;
}

}  // namespace

OpportunityRange opportunity_range(const Problem& problem, const State& now) {
  Ratio all{kInfinite, 1};
  for (const Training& t : problem.placements()) {
    if (!t.possible) continue;
    const Ratio ratio = ratio_of(t.rule);
    all = {std::min(all.low, ratio.low), std::max(all.high, ratio.high)};
  }
  if (all.high == kInfinite) return {1, kInfinite};
  const double per_switch = worst_switch(problem, all.high);
  if (per_switch == 0) return {all.low, all.high};
  if (per_switch == kInfinite) return {1, kInfinite};
  const int switches = longest_chain(problem, problem.training(now.placement).at.model);
  const double to_lose = (now.loss - problem.goal().loss_bound()).value;
  if (switches < 0 || to_lose <= 0) return {all.low, kInfinite};
  return {all.low, all.high + switches * per_switch / to_lose};
}

}  // namespace espalier
