// SPDX-License-Identifier: Apache-2.0
#include "search/grid_bundle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier {
namespace {

// Stands for "no way": far below infinity, so that differences stay finite.
constexpr float kFarAway = 1e30F;

float rounded_down(double value) {
  const auto f = static_cast<float>(std::clamp<double>(value, -kFarAway, kFarAway));
  return f > value ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}

// By halves: compilers make that a few instructions without a branch.
template <std::size_t Count>
double largest_of(float (&values)[Count]) {
  static_assert((Count & (Count - 1)) == 0);
  for (std::size_t half = Count / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i)
      values[i] = values[i] > values[i + half] ? values[i] : values[i + half];
  }
  return values[0];
}

}  // namespace

GridBundle::GridBundle(const GridBound& time, std::span<const Kind> kinds)
    : map_(time.map()),
      deadline_(map_->graph().problem().goal().time_bound().value),
      kinds_(kinds.size()),
      width_(kinds_ * kLanes + 1) {
  const std::size_t skipped = map_->placement_rows();
  const std::size_t rows = map_->rows() - skipped;
  values_.resize(rows * width_);
  for (std::size_t k = 0; k < kinds_; ++k) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      // A kind with fewer bounds repeats its last one.
      const GridBound& bound = *kinds[k][std::min(lane, kinds[k].size() - 1)];
      prices_.push_back(static_cast<float>(bound.time_weight()));
      for (std::size_t row = 0; row < rows; ++row)
        row_of(row)[k * kLanes + lane] = rounded_down(bound.values()[skipped + row]);
    }
  }
  for (std::size_t row = 0; row < rows; ++row)
    row_of(row)[width_ - 1] = rounded_down(time.values()[skipped + row]);
  double largest = 0;
  for (const float value : values_) {
    if (value < kFarAway) largest = std::max<double>(largest, std::abs(value));
  }
  for (const float price : prices_) largest = std::max(largest, price * deadline_);
  slack_ = 8 * std::numeric_limits<float>::epsilon() * largest;
}

// `row` is that of the map, those of placements not counted.
float* GridBundle::row_of(std::size_t row) {
  const std::size_t knots = map_->shared().size();
  const std::size_t nodes = map_->shared_nodes();
  const bool is_on_shared = row < knots * nodes;
  return values_.data() + (is_on_shared ? row % knots * nodes + row / knots : row) * width_;
}

GridBundle::Between GridBundle::shared_rows(NodeIndex node, const LossGrid::Spot& spot) const {
  const std::size_t nodes = map_->shared_nodes();
  const auto place = static_cast<std::size_t>(node - map_->first_shared());
  const float* low = values_.data() + (spot.cell * nodes + place) * width_;
  return {low, low + nodes * width_, static_cast<float>(spot.share)};
}

double GridBundle::least_total(NodeIndex node, const LossGrid::Spot& spot, double energy,
                               double time, double cut) const {
  return least_total(shared_rows(node, spot), energy, time, cut);
}

double GridBundle::least_total(NodeIndex node, double arrival, double energy, double time,
                               double cut) const {
  if (is_shared(node)) return least_total(node, find(arrival), energy, time, cut);
  const GridMap::Place place = map_->find(node, arrival);
  const float* low = values_.data() + (place.row - map_->placement_rows()) * width_;
  return least_total({low, low + width_, static_cast<float>(place.share)}, energy, time, cut);
}

double GridBundle::least_total(const Between& rows, double energy, double time, double cut) const {
  constexpr double kHopeless = std::numeric_limits<double>::infinity();
  const double time_left = deadline_ - time;
  if (time_left < 0) return kHopeless;
  const auto at = [&](std::size_t i) {
    return rows.low[i] + rows.share * (rows.high[i] - rows.low[i]);
  };
  if (at(width_ - 1) - slack_ > time_left) return kHopeless;
  double least = kHopeless;
  const auto left = static_cast<float>(time_left);
  for (std::size_t k = 0; k < kinds_; ++k) {
    float rest[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      rest[lane] = at(k * kLanes + lane) - prices_[k * kLanes + lane] * left;
    least = std::min(least, energy + std::max(0.0, largest_of(rest) - slack_));
    if (least < cut) return energy;
  }
  return least;
}

}  // namespace espalier
