// SPDX-License-Identifier: Apache-2.0
#include "search/linear_pricing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/infinite.h"

namespace espalier {
namespace {

constexpr int kMostPrices = 40;
// Labels ahead of or behind the cheapest way meet better bounds at other prices.
constexpr double kOtherTimePrices[] = {0.6, 0.8, 1.25, 1.6};
constexpr double kOtherLossPrices[] = {0.7, 0.85, 1.2, 1.4};
// A price of loss at which nothing else counts, relative to all there is to spend on it.
constexpr double kDearLoss = 1e6;

class Pricer {
 public:
  Pricer(const AdditiveGraph& graph, const State& now)
      : graph_(graph),
        now_(now),
        target_(graph.graph().problem().goal().loss_bound().value),
        deadline_(graph.graph().problem().goal().time_bound().value) {
    double least_step = kInfinite;
    for (std::size_t a = 0; a < graph.graph().arc_count(); ++a) {
      const Arc& arc = graph.graph().arc(a);
      dearest_arc_ = std::max(dearest_arc_, arc.energy + arc.time);
    }
    for (NodeIndex node = 0; node < graph.graph().size(); ++node) {
      const double step = std::abs(graph.step(node));
      if (step > 0) least_step = std::min(least_step, step);
    }
    if (least_step < kInfinite) finest_step_ = least_step;
  }

  LinearPricing run() {
    const std::optional<Dual> time_only = best_loss_price(0, 1);
    if (!time_only) return {{}, kInfinite, kInfinite, {}};
    result_.least_time = now_.time.value + time_only->cost;
    add(time_only->prices);
    const std::optional<Dual> best = best_prices();
    if (!best) return std::move(result_);
    result_.least_energy =
        now_.energy.value + best->cost - best->prices.time * (deadline_ - now_.time.value);
    add(best->prices);
    for (const double factor : kOtherLossPrices) {
      Prices prices = best->prices;
      prices.loss *= factor;
      add(prices);
    }
    for (const double factor : kOtherTimePrices) {
      const auto other = best_loss_price(1, factor * best->prices.time);
      if (other && best->prices.time > 0) add(other->prices);
    }
    return std::move(result_);
  }

 private:
  // The mixture of two ways that just meets the target, at the prices that make both cheapest.
  struct Dual {
    Prices prices;
    double cost = 0;  // at least this much is to be spent from now on
    double energy = 0;
    double time = 0;
  };

  // Where the cheapest way at these prices ends; nothing if there is none.
  std::optional<State> evaluate(const Prices& prices) {
    const LinearBound bound(graph_, prices);
    std::vector<PlacementId> path = bound.cheapest_path(now_);
    if (path.empty()) return {};
    result_.paths.push_back(std::move(path));
    return bound.end_of_cheapest_path(now_);
  }

  void add(const Prices& prices) {
    LinearBound bound(graph_, prices);
    if (bound.is_valid()) result_.bounds.push_back(std::move(bound));
  }

  // Of energy and time alone, without the price of the loss.
  double spent(const State& end, const Prices& prices) const {
    return prices.energy * (end.energy - now_.energy).value +
           prices.time * (end.time - now_.time).value;
  }

  // Nothing if no way reaches the target.
  std::optional<Dual> best_loss_price(double energy_price, double time_price) {
    Prices prices{energy_price, time_price, 0};
    std::optional<State> short_end = evaluate(prices);
    if (!short_end) return {};
    if (short_end->loss.value <= target_) return mixture(prices, *short_end, *short_end);
    prices.loss = kDearLoss * (energy_price + time_price) * dearest_arc_ / finest_step_;
    std::optional<State> long_end = evaluate(prices);
    if (!long_end || long_end->loss.value > target_) return {};
    for (int i = 0; i < kMostPrices; ++i) {
      const double price = (spent(*long_end, prices) - spent(*short_end, prices)) /
                           (short_end->loss - long_end->loss).value;
      if (!(price >= 0) || !std::isfinite(price)) break;
      prices.loss = price;
      const auto end = evaluate(prices);
      if (!end) break;
      const double value = spent(*end, prices) + price * end->loss.value;
      const double old = spent(*long_end, prices) + price * long_end->loss.value;
      if (value >= old - 1e-12 * std::abs(old)) break;
      (end->loss.value <= target_ ? long_end : short_end) = end;
    }
    return mixture(prices, *short_end, *long_end);
  }

  Dual mixture(const Prices& prices, const State& a, const State& b) {
    const double span = (a.loss - b.loss).value;
    const double share = span > 0 ? (a.loss.value - target_) / span : 1;  // of b
    const auto mix = [&](double x, double y) { return (1 - share) * x + share * y; };
    return {prices, LinearBound(graph_, prices).from(now_), mix(a.energy.value, b.energy.value),
            mix(a.time.value, b.time.value)};
  }

  // Nothing if every price of time leaves the plans late.
  std::optional<Dual> best_prices() {
    std::optional<Dual> late = best_loss_price(1, 0);
    if (!late || late->time <= deadline_) return late;
    std::optional<Dual> early = best_loss_price(0, 1);
    if (!early || early->time > deadline_) return {};
    std::optional<Dual> best;
    for (int i = 0; i < kMostPrices; ++i) {
      const double price = (early->energy - late->energy) / (late->time - early->time);
      if (!(price > 0) || !std::isfinite(price)) break;
      const auto dual = best_loss_price(1, price);
      if (!dual) break;
      if (!best || value(*dual) > value(*best)) best = dual;
      const double old = late->energy + price * late->time;
      if (dual->energy + price * dual->time >= old - 1e-10 * std::abs(old)) break;
      (dual->time <= deadline_ ? early : late) = dual;
    }
    return best;
  }

  double value(const Dual& dual) const {
    return dual.cost - dual.prices.time * (deadline_ - now_.time.value);
  }

  const AdditiveGraph& graph_;
  const State now_;
  const double target_;
  const double deadline_;
  double dearest_arc_ = 1;
  double finest_step_ = 1;
  LinearPricing result_;
};

}  // namespace

LinearPricing price_time_and_loss(const AdditiveGraph& graph, const State& now) {
  return Pricer(graph, now).run();
}

}  // namespace espalier
