// SPDX-License-Identifier: Apache-2.0
// Losses from the goal's to the highest, finer where they are lower.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

// Knots at growing distances. Functions on the grid are linear between knots and go on linearly
// below the first.
class LossGrid {
 public:
  LossGrid(double lowest, double highest, std::size_t cells);

  std::size_t size() const { return knots_.size(); }
  double knot(std::size_t i) const { return knots_[i]; }

  // (1 − share) · the cell's lower knot + share · its upper one. The share is negative below the
  // first knot and at most 1.
  struct Spot {
    std::uint32_t cell = 0;
    double share = 0;

    template <class T>
    double of(const T* values, std::size_t stride = 1) const {
      const double low = values[cell * stride];
      return low + share * (values[(cell + 1) * stride] - low);
    }
  };
  Spot find(double loss) const;

 private:
  std::vector<double> knots_;
  std::vector<double> inverse_widths_;  // per cell
  std::vector<std::uint32_t> buckets_;  // equal ones over all losses: the cell at their lower end
  double buckets_per_loss_ = 0;
};

}  // namespace espalier
