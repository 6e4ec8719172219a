// SPDX-License-Identifier: Apache-2.0
#include "core/learning_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/infinite.h"
#include "core/portable_math.h"

namespace espalier {
namespace {

// Inverses are widened by this much, so that rounding never makes a bound unsafe.
constexpr double kSlack = 1e-12;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

// --- power ---------------------------------------------------------------------------------------

double power_decrease(const PowerRule& rule, double factor, double x) {
  const double raw = rule.power == 1 ? rule.rate * x : rule.rate * portable_pow(x, rule.power);
  return std::min(factor * raw, x);
}

double power_next(const PowerRule& rule, double factor, double loss) {
  const double x = loss - rule.floor;
  return x <= 0 ? loss : loss - power_decrease(rule, factor, x);
}

// Solves x − r·x^p = y for the largest x ≤ top. For p ≥ 1 the left side is concave on its rising
// branch and Newton from y climbs to the root from below; otherwise bisection is as good as any.
double power_invert(double r, double p, double y, double top) {
  if (p >= 1 && y > 0) {
    double x = y;
    for (int i = 0; i < 50; ++i) {
      const double share = r * portable_pow(x, p - 1);
      const double slope = 1 - p * share;
      if (!(slope > 0)) break;
      const double step = (y - (x - share * x)) / slope;
      x += step;
      if (x >= top) return top;
      // Quadratic convergence: what is left is far less than this step.
      if (step <= 1e-11 * x) return x;
    }
  }
  const auto after = [&](double x) { return x - std::min(r * portable_pow(x, p), x); };
  if (after(top) <= y) return top;
  double low = y;
  double high = top;
  for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (after(middle) <= y ? low : high) = middle;
  }
  return high;
}

double power_largest_before(const PowerRule& rule, double factor, double loss, double ceiling) {
  if (loss < rule.floor) return loss;
  const double top = ceiling - rule.floor;
  if (top <= 0) return ceiling;
  const double y = loss - rule.floor;
  const double r = factor * rule.rate;
  if (r <= 0) return std::min(loss, ceiling);
  if (rule.power == 1) return r >= 1 ? ceiling : std::min(ceiling, rule.floor + y / (1 - r));
  return rule.floor + power_invert(r, rule.power, y, top);
}

double power_monotone_up_to(const PowerRule& rule, double factor) {
  const double r = factor * rule.rate;
  if (rule.power <= 1 || r <= 0) return kInfinite;
  return rule.floor + std::pow(1 / (r * rule.power), 1 / (rule.power - 1));
}

// --- steps ---------------------------------------------------------------------------------------

double step_of(const StepsRule& rule, int epoch) {
  const auto i = static_cast<std::size_t>(epoch - 1);
  return epoch >= 1 && i < rule.steps.size() ? rule.steps[i] : 0;
}

// --- curve ---------------------------------------------------------------------------------------

// Index i of the segment [points[i+1], points[i]] that holds `loss`.
std::size_t segment_of(const CurveRule& rule, double loss) {
  const auto below =
      std::lower_bound(rule.points.begin(), rule.points.end(), loss, std::greater<>());
  const auto i = static_cast<std::size_t>(below - rule.points.begin());
  return std::clamp<std::size_t>(i, 1, rule.points.size() - 1) - 1;
}

double curve_next(const CurveRule& rule, double loss) {
  const auto& c = rule.points;
  if (loss <= c.back()) return loss;
  if (loss >= c.front()) return loss - (c[0] - c[1]);
  const std::size_t i = segment_of(rule, loss);
  if (i + 2 >= c.size()) return c.back();
  const double along = (c[i] - loss) / (c[i] - c[i + 1]);
  return c[i + 1] - along * (c[i + 1] - c[i + 2]);
}

double scaled_next(const CurveRule& rule, double factor, double loss) {
  return std::max(loss - factor * (loss - curve_next(rule, loss)),
                  std::min(loss, rule.points.back()));
}

// With factor 1 the next loss is piecewise linear with kinks at the points, scaling keeps the
// kinks: find the piece, then solve it.
double curve_largest_before(const CurveRule& rule, double factor, double loss, double ceiling) {
  const auto& c = rule.points;
  if (loss < c.back()) return loss;
  const auto after = [&](double x) { return scaled_next(rule, factor, x); };
  if (after(ceiling) <= loss) return ceiling;
  // Points fall, and so do the losses after them: the last point that is still too high.
  const auto above =
      std::partition_point(c.begin(), c.end(), [&](double point) { return after(point) > loss; });
  double low = above == c.end() ? loss : std::max(loss, *above);
  double high = above == c.begin() ? ceiling : std::min(ceiling, *std::prev(above));
  // Between them the rule is linear, but for where the floor cuts it off: one secant step, then
  // bisection for what is left.
  const double rise = after(high) - after(low);
  const double guess = rise > 0 ? low + (loss - after(low)) / rise * (high - low) : low;
  for (const double x : {guess * (1 - 1e-14), guess * (1 + 1e-14)}) {
    if (x <= low || x >= high) continue;
    (after(x) <= loss ? low : high) = x;
  }
  for (int i = 0; i < 200 && high - low > 1e-13 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (after(middle) <= loss ? low : high) = middle;
  }
  return high;
}

}  // namespace

double LearningRule::next(int epoch, double loss, double luck) const {
  const double factor = factor_ * luck;
  return std::visit(Overloaded{
                        [&](const PowerRule& rule) { return power_next(rule, factor, loss); },
                        [&](const StepsRule& rule) {
                          return std::max(0.0, loss + factor * step_of(rule, epoch));
                        },
                        [&](const CurveRule& rule) { return scaled_next(rule, factor, loss); },
                    },
                    shape_);
}

double LearningRule::largest_before(int epoch, double loss, double ceiling, double luck) const {
  const double factor = factor_ * luck;
  const double exact = std::visit(
      Overloaded{
          [&](const PowerRule& rule) { return power_largest_before(rule, factor, loss, ceiling); },
          [&](const StepsRule& rule) {
            return loss < 0 ? loss : loss - factor * step_of(rule, epoch);
          },
          [&](const CurveRule& rule) { return curve_largest_before(rule, factor, loss, ceiling); },
      },
      shape_);
  return std::min(exact == loss ? exact : exact + kSlack * std::abs(exact), ceiling);
}

double LearningRule::monotone_up_to(double luck) const {
  const double factor = factor_ * luck;
  const auto* power = std::get_if<PowerRule>(&shape_);
  if (power) return power_monotone_up_to(*power, factor);
  const auto* curve = std::get_if<CurveRule>(&shape_);
  if (!curve || factor <= 1) return kInfinite;
  // A decrease scaled beyond 1 must not overtake that of a higher loss: compare at the kinks.
  for (std::size_t i = curve->points.size() - 1; i > 0; --i) {
    if (scaled_next(*curve, factor, curve->points[i - 1]) <
        scaled_next(*curve, factor, curve->points[i])) {
      return curve->points[i];
    }
  }
  return kInfinite;
}

int LearningRule::last_special_epoch() const {
  const auto* steps = std::get_if<StepsRule>(&shape_);
  if (!steps) return 0;
  const auto last =
      std::find_if(steps->steps.rbegin(), steps->steps.rend(), [](double s) { return s != 0; });
  return static_cast<int>(steps->steps.rend() - last);
}

double LearningRule::largest_rise() const {
  const auto* steps = std::get_if<StepsRule>(&shape_);
  if (!steps) return 0;
  return factor_ * std::accumulate(steps->steps.begin(), steps->steps.end(), 0.0,
                                   [](double sum, double s) { return sum + std::max(0.0, s); });
}

double lognormal_quantile(double sigma, double q) {
  return sigma == 0 ? 1 : std::exp(sigma * normal_quantile(q) - 0.5 * sigma * sigma);
}

double normal_quantile(double q) {
  // Newton on the distribution function from a logistic first guess; converges for every q in (0,
  // 1).
  double z = std::clamp(std::log(q / (1 - q)) / 1.702, -8.0, 8.0);
  for (int i = 0; i < 100; ++i) {
    const double error = 0.5 * std::erfc(-z / std::sqrt(2.0)) - q;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2 * 3.141592653589793);
    const double step = std::clamp(error / density, -0.5, 0.5);
    z -= step;
    if (std::abs(step) < 1e-14) break;
  }
  return z;
}

}  // namespace espalier
