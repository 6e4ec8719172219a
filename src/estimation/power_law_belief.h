// SPDX-License-Identifier: Apache-2.0
// What is believed of one learning curve: loss(k) = floor + a·((k + b)/b)^−p, k epochs into its
// stage.
//
// Idea. For a given shape (b, p) the law is linear in floor and a, so that its least squares are a
// 2×2 system: exact, and without local minima. That is done for every shape of a small grid, with
// priors that make it work from one loss on; each shape counts by how well it explains the losses
// (its evidence). A forecast is the mean of all shapes, and its spread has four parts: noise, what
// is unknown of floor and a, where the shapes disagree, and a law that need not hold for ever. So
// it is wide when the history is short or the horizon far.
//
// Errors are relative to the loss, as those of training are. Older losses count less: the law
// describes no whole training, but any part of it. What the law missed at the last losses fades out
// of the forecast as quickly as it faded so far.
//
// Complexity: shapes × losses, the newest kLongestFit of a stage; then shapes × horizons.
// Reference: Domhan et al., extrapolation of learning curves (IJCAI 2015), for the idea of
// weighting parametric families; the grid instead of sampling is ours.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/line_fit.h"
#include "estimation/power_shapes.h"

namespace espalier {

struct PowerLawPriors {
  // Expected floor, and how sure that is, as shares of the first loss that is fitted.
  double floor = 0.1;
  double floor_deviation = 0.2;
  double fall_deviation = 0.3;  // of a, which is expected to make up for the rest
  // Relative noise of a loss, and how many losses it takes to believe in another.
  double noise = 0.03;
  double noise_weight = 3;
  // What a loss counts compared to the next younger one.
  double fading = 0.96;
  // How much of the last loss's deviation remains after an epoch, and how sure that is, in losses.
  double carry = 0.5;
  double carry_weight = 4;
  // How far the law itself may wander off per epoch, as a share of the noise.
  double drift = 0.3;
  // How likely each shape is, up to a common factor: power_shapes.h. All alike.
  ShapeValues shapes = all_alike();

 private:
  static constexpr ShapeValues all_alike() {
    ShapeValues values{};
    values.fill(1);
    return values;
  }
};

// What one stage taught about others like it: the most likely priors, had they been known.
struct PowerLawLesson {
  double floor = 0;           // as a share of the first loss
  double floor_variance = 0;  // how unsure that is
  double noise = 0;
  ShapeValues shapes{};  // sum 1
};

// Thread-compatible. REQUIRES: finite losses ≥ 0, at least one.
class PowerLawBelief {
 public:
  static constexpr std::size_t kLongestFit = 64;

  PowerLawBelief(std::span<const double> losses_of_stage, const PowerLawPriors& priors);

  // For the next `epochs`: low ≤ mean ≤ high; the mean never rises and is never below 0; high −
  // mean never falls.
  std::vector<LossRange> ahead(std::size_t epochs) const;

  PowerLawLesson lesson() const;

 private:
  // The fit for one shape.
  struct Law {
    LineFit line{};
    double variance = 0;  // of the noise, relative
    double evidence = 0;  // logarithm
    double weight = 0;    // all laws sum up to 1
  };
  // What the laws say together of one epoch.
  struct Opinion {
    double mean = 0;
    double variance = 0;  // without noise
  };

  void weigh_losses();
  void fit_laws();
  // `likelihood` is that of the shape beforehand.
  Law fit(const LineSums& sums, double likelihood) const;
  void weigh_laws();
  void measure_misses();
  Opinion opinion(const ShapeValues& values) const;

  PowerLawPriors priors_;
  double start_ = 0;                   // epochs of the stage before the first loss that is fitted
  double scale_ = 1;                   // the largest loss; everything below is a share of it
  std::vector<double> losses_;         // those that are fitted
  std::vector<double> levels_{};       // about where each of them is
  std::vector<double> importance_{};   // of each; the newest is 1
  double count_ = 0;                   // sum of the importance
  std::vector<ShapeValues> values_{};  // of each shape at each of them
  std::array<Law, kShapes> laws_{};
  double noise_ = 0;      // relative, of all laws
  double last_miss_ = 0;  // the last loss less what the laws say of it
  double carry_ = 0;
};

}  // namespace espalier
