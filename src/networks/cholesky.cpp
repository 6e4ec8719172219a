// SPDX-License-Identifier: Apache-2.0
#include "networks/cholesky.h"

#include <cmath>
#include <utility>

#include "core/error.h"

namespace espalier {

Cholesky::Cholesky(std::vector<double> a, std::size_t size) : l_(std::move(a)), size_(size) {
  ESPALIER_CHECK(l_.size() == size * size);
  for (std::size_t row = 0; row < size; ++row) {
    for (std::size_t column = 0; column <= row; ++column) {
      double rest = at(row, column);
      for (std::size_t k = 0; k < column; ++k) rest -= at(row, k) * at(column, k);
      ESPALIER_CHECK(row != column || rest > 0);
      l_[row * size + column] = row == column ? std::sqrt(rest) : rest / at(column, column);
    }
  }
}

void Cholesky::solve(std::vector<double>& b) const {
  ESPALIER_CHECK(b.size() == size_);
  for (std::size_t row = 0; row < size_; ++row) {
    for (std::size_t k = 0; k < row; ++k) b[row] -= at(row, k) * b[k];
    b[row] /= at(row, row);
  }
  for (std::size_t row = size_; row-- > 0;) {
    for (std::size_t k = row + 1; k < size_; ++k) b[row] -= at(k, row) * b[k];
    b[row] /= at(row, row);
  }
}

}  // namespace espalier
