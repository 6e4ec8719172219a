// SPDX-License-Identifier: Apache-2.0
#include "core/near_miss.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace espalier {
namespace {

constexpr std::size_t kLongestCompared = 64;

// Slips to turn `a` into `b`: insert, drop or replace a character, or swap two neighbours.
std::size_t slips(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_back(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_back.swap(previous);
    previous.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_back[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kLongestCompared) return std::nullopt;
  const std::string wanted = lower_case(word);
  const std::string* best = nullptr;
  std::size_t fewest = std::min<std::size_t>(2, wanted.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), wanted.size());
    if (longer - std::min(candidate.size(), wanted.size()) >= fewest) continue;
    const std::size_t count = slips(wanted, lower_case(candidate));
    if (count >= fewest) continue;
    fewest = count;
    best = &candidate;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto candidate = nearest(word, candidates);
  return candidate ? "; did you mean '" + *candidate + "'?" : "";
}

}  // namespace espalier
