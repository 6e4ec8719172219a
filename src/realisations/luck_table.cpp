// SPDX-License-Identifier: Apache-2.0
#include "realisations/luck_table.h"

#include <algorithm>

#include "realisations/member_loops.h"

namespace espalier {

void LuckTable::draw_run(std::size_t first, std::span<const double> z) {
  multiply_by_lognormal(std::span(of_run_).subspan(first, z.size()), noise_.run, z);
}

void LuckTable::draw_epoch(int epoch, std::size_t first, std::span<const double> z) {
  const std::span<double> factors(of_epoch_[static_cast<std::size_t>(epoch - 1)].get() + first,
                                  z.size());
  std::copy_n(of_run_.begin() + static_cast<std::ptrdiff_t>(first), z.size(), factors.begin());
  multiply_by_lognormal(factors, noise_.epoch, z);
}

void LuckTable::make_room(int last_epoch) {
  if (noise_.epoch == 0) return;
  while (of_epoch_.size() < static_cast<std::size_t>(last_epoch)) {
    of_epoch_.push_back(std::make_unique_for_overwrite<double[]>(of_run_.size()));
  }
}

std::span<const double> LuckTable::factors(int epoch, std::size_t first, std::size_t count) const {
  const double* all =
      noise_.epoch == 0 ? of_run_.data() : of_epoch_[static_cast<std::size_t>(epoch - 1)].get();
  return {all + first, count};
}

}  // namespace espalier
