// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace espalier {

// Solves A·x = b for a symmetric positive definite A. Immutable.
class Cholesky {
 public:
  // A row by row, size × size; only its lower triangle is read. REQUIRES: positive definite.
  Cholesky(std::vector<double> a, std::size_t size);

  // b becomes x.
  void solve(std::vector<double>& b) const;

 private:
  double at(std::size_t row, std::size_t column) const { return l_[row * size_ + column]; }

  std::vector<double> l_;  // A = L·Lᵀ
  std::size_t size_;
};

}  // namespace espalier
