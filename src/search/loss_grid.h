// SPDX-License-Identifier: Apache-2.0
// Losses from the goal's to the highest, and functions that are linear between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

// Functions on the grid are linear between knots and go on linearly below the first. Immutable.
class LossGrid {
 public:
  // Knots at growing distances: finer where losses are lower.
  LossGrid(double lowest, double highest, std::size_t cells);
  // REQUIRES: at least two, in ascending order.
  explicit LossGrid(std::vector<double> knots);

  std::size_t size() const { return knots_.size(); }
  double knot(std::size_t i) const { return knots_[i]; }
  const std::vector<double>& knots() const { return knots_; }

  // (1 − share) · the cell's lower knot + share · its upper one. The share is negative below the
  // first knot and at most 1.
  struct Spot {
    std::uint32_t cell = 0;
    double share = 0;

    // At the lower knot.
    static Spot at(std::size_t knot) { return {static_cast<std::uint32_t>(knot), 0}; }

    template <class T>
    double of(const T* values, std::size_t stride = 1) const {
      const double low = values[cell * stride];
      return low + share * (values[(cell + 1) * stride] - low);
    }
  };
  Spot find(double loss) const;

 private:
  // 0 buckets per cell: as many as smallest cells, the first being one of them.
  LossGrid(std::vector<double> knots, std::size_t buckets_per_cell);

  std::vector<double> knots_;
  std::vector<double> inverse_widths_;  // per cell
  std::vector<std::uint32_t> buckets_;  // equal ones over all losses: the cell at their lower end
  double buckets_per_loss_ = 0;
};

}  // namespace espalier
