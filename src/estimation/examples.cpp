// SPDX-License-Identifier: Apache-2.0
#include "estimation/examples.h"

#include <algorithm>

namespace espalier {

std::size_t examples_in(const RunSequence& sequence) {
  const std::size_t places = sequence.losses.size();
  return places > sequence.stage + 1 ? places - sequence.stage - 1 : 0;
}

std::vector<RunExample> examples_of(const RunSequence& sequence) {
  std::vector<RunExample> examples;
  const auto begin = sequence.losses.begin();
  for (std::size_t i = 0; i < examples_in(sequence); ++i) {
    const auto next = begin + static_cast<std::ptrdiff_t>(sequence.stage + i + 1);
    const auto ahead = std::min<std::ptrdiff_t>(kEpochsAhead, sequence.losses.end() - next);
    examples.push_back({{{begin, next}, sequence.now, sequence.stage}, {next, next + ahead}});
  }
  return examples;
}

}  // namespace espalier
