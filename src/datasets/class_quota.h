// SPDX-License-Identifier: Apache-2.0
// How many images of each class a node set gets.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "datasets/stock.h"

namespace espalier {

// A class, and how many images of it.
struct ClassQuota {
  std::uint16_t label = 0;
  std::size_t count = 0;
};

// `samples` images in the proportions that `labels` have in the data set. Off by at most two from
// the exact proportion, which is where rounding for earlier node sets can lead. Empty where the
// stock cannot do it.
std::vector<ClassQuota> stratified_quota(const Stock& stock, std::span<const std::uint16_t> labels,
                                         std::size_t samples);

}  // namespace espalier
