// SPDX-License-Identifier: Apache-2.0
#include "estimation/run_sequence.h"

#include <algorithm>

namespace espalier {
namespace {

bool is_guessed(const RunSequence& sequence, std::size_t place) {
  return place < sequence.guessed.size() && sequence.guessed[place];
}

RunExample example_at(const RunSequence& sequence, std::size_t place, std::size_t targets) {
  const auto next = sequence.losses.begin() + static_cast<std::ptrdiff_t>(place + 1);
  return {{{sequence.losses.begin(), next}, sequence.now, sequence.stage},
          {next, next + static_cast<std::ptrdiff_t>(targets)}};
}

}  // namespace

std::size_t targets_at(const RunSequence& sequence, std::size_t place) {
  if (place < std::max(sequence.stage, sequence.first) || is_guessed(sequence, place)) return 0;
  std::size_t count = 0;
  while (count < kEpochsAhead && place + count + 1 < sequence.losses.size() &&
         !is_guessed(sequence, place + count + 1)) {
    ++count;
  }
  return count;
}

std::size_t examples_in(const RunSequence& sequence) {
  std::size_t count = 0;
  for (std::size_t place = 0; place < sequence.losses.size(); ++place) {
    if (targets_at(sequence, place) > 0) ++count;
  }
  return count;
}

std::vector<RunExample> examples_of(const RunSequence& sequence) {
  std::vector<RunExample> examples;
  for (std::size_t place = 0; place < sequence.losses.size(); ++place) {
    const std::size_t targets = targets_at(sequence, place);
    if (targets > 0) examples.push_back(example_at(sequence, place, targets));
  }
  return examples;
}

}  // namespace espalier
