// SPDX-License-Identifier: Apache-2.0
// Seeds that judge are never seeds that were learnt from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/trace.h"

namespace espalier {

struct SeedSplit {
  std::vector<std::uint64_t> learnt{};
  std::vector<std::uint64_t> judged{};
  std::vector<TraceRow> learnt_rows{};
  std::vector<TraceRow> judged_rows{};
};

// The seeds, in increasing order, are dealt in turn to `groups`, or to as many as there are seeds.
// Each group judges what was learnt from all others. Throws Error{BadInput} with fewer than two
// seeds.
std::vector<SeedSplit> split_seeds(const std::vector<TraceRow>& rows, std::size_t groups);

std::vector<std::uint64_t> seeds_of(const std::vector<TraceRow>& rows);

// "1, 3, 5"
std::string seeds_listed(const std::vector<std::uint64_t>& seeds);

}  // namespace espalier
