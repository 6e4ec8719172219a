// SPDX-License-Identifier: Apache-2.0
// Shares that make no sense, whatever is left of the data set.
#pragma once

#include <span>

#include "datasets/split.h"

namespace espalier {

// How many classes `share` is about.
std::size_t class_count(const Share& share, const Dataset& dataset);

// Throws Error{BadInput} naming the node set.
void check_shares(std::span<const Share> shares, const Dataset& dataset);

}  // namespace espalier
