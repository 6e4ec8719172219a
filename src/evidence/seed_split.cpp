// SPDX-License-Identifier: Apache-2.0
#include "evidence/seed_split.h"

#include <algorithm>
#include <set>

#include "core/error.h"

namespace espalier {

std::vector<std::uint64_t> seeds_of(const std::vector<TraceRow>& rows) {
  std::set<std::uint64_t> seeds;
  for (const TraceRow& row : rows) seeds.insert(row.seed);
  return {seeds.begin(), seeds.end()};
}

std::string seeds_listed(const std::vector<std::uint64_t>& seeds) {
  std::string text;
  for (const std::uint64_t seed : seeds) text += (text.empty() ? "" : ", ") + std::to_string(seed);
  return text;
}

std::vector<SeedSplit> split_seeds(const std::vector<TraceRow>& rows, std::size_t groups) {
  const std::vector<std::uint64_t> seeds = seeds_of(rows);
  if (seeds.size() < 2)
    throw Error(ErrorCode::BadInput, "the traces have one seed only",
                "estimators that learnt from a seed cannot be judged by it: collect at least two");
  std::vector<SeedSplit> splits(std::min(groups, seeds.size()));
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    for (std::size_t group = 0; group < splits.size(); ++group) {
      const bool judges = i % splits.size() == group;
      (judges ? splits[group].judged : splits[group].learnt).push_back(seeds[i]);
    }
  }
  for (SeedSplit& split : splits) {
    for (const TraceRow& row : rows) {
      const bool judges = std::ranges::binary_search(split.judged, row.seed);
      (judges ? split.judged_rows : split.learnt_rows).push_back(row);
    }
  }
  return splits;
}

}  // namespace espalier
