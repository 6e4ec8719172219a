// SPDX-License-Identifier: Apache-2.0
#include "replay/mean_curve.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

// Neighbouring epochs with a common loss.
struct Pool {
  double weight = 0;
  double epochs = 0;  // weighted sums
  double losses = 0;

  double middle() const { return epochs / weight; }
  double loss() const { return losses / weight; }
  void add(const Pool& other) {
    weight += other.weight;
    epochs += other.epochs;
    losses += other.losses;
  }
};

// One for each epoch that any curve has.
std::vector<Pool> mean_losses(const Curves& curves) {
  std::vector<Pool> means;
  double loss = 0;
  for (const auto* curve : curves) loss += curve->front() / static_cast<double>(curves.size());
  const auto count = static_cast<double>(curves.size());
  means.push_back({count, 0, count * loss});
  for (std::size_t e = 1; e <= kLongestMeanCurve; ++e) {
    double change = 0;
    double alive = 0;
    for (const auto* curve : curves) {
      if (curve->size() <= e) continue;
      change += (*curve)[e] - (*curve)[e - 1];
      ++alive;
    }
    if (alive == 0) break;
    loss += change / alive;
    means.push_back({alive, alive * static_cast<double>(e), alive * loss});
  }
  return means;
}

// Pool adjacent violators: the nearest curve that falls from pool to pool.
std::vector<Pool> falling(const std::vector<Pool>& means) {
  std::vector<Pool> pools;
  for (Pool pool : means) {
    while (!pools.empty() && pools.back().loss() <= pool.loss()) {
      pool.add(pools.back());
      pools.pop_back();
    }
    pools.push_back(pool);
  }
  return pools;
}

// A loss for each epoch between the first pool's middle and the last one's.
std::vector<double> joined(const std::vector<Pool>& pools) {
  std::vector<double> points{pools.front().loss()};
  const auto add = [&](double loss) {
    if (loss < points.back()) points.push_back(std::max(0.0, loss));
  };
  double epoch = std::floor(pools.front().middle()) + 1;
  for (std::size_t i = 1; i < pools.size(); ++i) {
    const Pool& a = pools[i - 1];
    const Pool& b = pools[i];
    for (; epoch < b.middle(); ++epoch) {
      const double share = (epoch - a.middle()) / (b.middle() - a.middle());
      add(a.loss() + share * (b.loss() - a.loss()));
    }
  }
  add(pools.back().loss());
  return points;
}

// What a curve did, and what the rule would have done from the same losses.
struct Account {
  double told = 0;
  double expected = 0;
  double squares = 0;  // of what was expected
  double misses = 0;   // squares of the differences, epoch by epoch
};

template <class Visit>
void for_each_epoch(const LearningRule& rule, const std::vector<double>& curve, Visit visit) {
  for (std::size_t e = 1; e < std::min(curve.size(), kLongestMeanCurve); ++e) {
    const double expected = curve[e - 1] - rule.next(static_cast<int>(e), curve[e - 1]);
    if (expected > 0) visit(curve[e - 1] - curve[e], expected);
  }
}

Account account_of(const LearningRule& rule, const std::vector<double>& curve) {
  Account account;
  for_each_epoch(rule, curve, [&](double told, double expected) {
    account.told += told;
    account.expected += expected;
    account.squares += expected * expected;
  });
  if (account.expected <= 0) return account;
  const double factor = account.told / account.expected;
  for_each_epoch(rule, curve, [&](double told, double expected) {
    account.misses += (told - factor * expected) * (told - factor * expected);
  });
  return account;
}

// Of a factor around 1 with this variance, if it is lognormal.
double lognormal_sigma(double variance) { return std::sqrt(std::log1p(std::max(0.0, variance))); }

}  // namespace

RuleShape mean_curve(const Curves& curves) {
  CurveRule curve{joined(falling(mean_losses(curves)))};
  if (curve.points.size() < 2) return PowerRule{};
  return curve;
}

NoiseSpec spread_around(const RuleShape& shape, const Curves& curves) {
  const LearningRule rule(shape);
  double misses = 0;
  double squares = 0;
  std::vector<double> factors;
  double luck_of_epochs = 0;  // its share in the variance of the factors
  for (const auto* curve : curves) {
    const Account account = account_of(rule, *curve);
    if (account.expected <= 0) continue;
    factors.push_back(account.told / account.expected);
    misses += account.misses;
    squares += account.squares;
    luck_of_epochs += account.misses / (account.expected * account.expected);
  }
  if (factors.empty()) return {};
  const auto count = static_cast<double>(factors.size());
  double mean = 0;
  for (const double factor : factors) mean += factor / count;
  double variance = 0;
  for (const double factor : factors)
    variance += (factor - mean) * (factor - mean) / std::max(1.0, count - 1);
  return {.run = lognormal_sigma(variance - luck_of_epochs / count),
          .epoch = lognormal_sigma(misses / squares)};
}

}  // namespace espalier
