// SPDX-License-Identifier: Apache-2.0
#include "search/loss_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace espalier {
namespace {

// Distances grow in proportion to the loss plus this share of the highest one.
constexpr double kOffset = 0.02;
// Where cells do not grow.
constexpr std::size_t kBucketsPerCell = 2;

std::vector<double> growing(double lowest, double highest, std::size_t cells) {
  const double offset = kOffset * highest;
  const double growth =
      std::pow((highest + offset) / (lowest + offset), 1 / static_cast<double>(cells));
  std::vector<double> knots;
  for (std::size_t i = 0; i <= cells; ++i)
    knots.push_back((lowest + offset) * std::pow(growth, static_cast<double>(i)) - offset);
  knots.front() = lowest;
  knots.back() = highest;
  return knots;
}

}  // namespace

LossGrid::LossGrid(double lowest, double highest, std::size_t cells)
    : LossGrid(growing(lowest, highest, cells), 0) {}

LossGrid::LossGrid(std::vector<double> knots) : LossGrid(std::move(knots), kBucketsPerCell) {}

LossGrid::LossGrid(std::vector<double> knots, std::size_t buckets_per_cell)
    : knots_(std::move(knots)) {
  const std::size_t cells = knots_.size() - 1;
  for (std::size_t i = 0; i < cells; ++i)
    inverse_widths_.push_back(1 / (knots_[i + 1] - knots_[i]));
  const double lowest = knots_.front();
  const double highest = knots_.back();
  const std::size_t count =
      buckets_per_cell > 0
          ? buckets_per_cell * cells
          : static_cast<std::size_t>((highest - lowest) * inverse_widths_.front()) + 1;
  buckets_per_loss_ = static_cast<double>(count) / (highest - lowest);
  std::uint32_t cell = 0;
  for (std::size_t b = 0; b <= count; ++b) {
    const double loss = lowest + static_cast<double>(b) / buckets_per_loss_;
    while (cell + 1 < cells && knots_[cell + 1] <= loss) ++cell;
    buckets_.push_back(cell);
  }
}

LossGrid::Spot LossGrid::find(double loss) const {
  const double above = loss - knots_.front();
  if (above <= 0) return {0, above * inverse_widths_.front()};
  if (loss >= knots_.back()) return {static_cast<std::uint32_t>(knots_.size() - 2), 1};
  const auto bucket = static_cast<std::size_t>(above * buckets_per_loss_);
  const auto first = knots_.begin() + buckets_[bucket] + 1;
  const auto last = knots_.begin() + buckets_[std::min(bucket + 1, buckets_.size() - 1)] + 1;
  auto cell = static_cast<std::uint32_t>(std::lower_bound(first, last, loss) - knots_.begin()) - 1;
  while (knots_[cell + 1] < loss) ++cell;  // rounding
  while (knots_[cell] > loss) --cell;
  return {cell, (loss - knots_[cell]) * inverse_widths_[cell]};
}

}  // namespace espalier
