// SPDX-License-Identifier: Apache-2.0
#include "fitting/answers.h"

#include <algorithm>
#include <iterator>

namespace espalier {

std::vector<Judged> judged_by(Voice voice, std::span<const HeldOut> answers) {
  std::vector<Judged> judged;
  judged.reserve(answers.size());
  for (const HeldOut& one : answers)
    judged.push_back({one.said[position_of(voice)], one.came, one.run, one.family});
  return judged;
}

Answers in_fold(const Answers& answers, std::size_t fold) {
  Answers found;
  std::ranges::copy_if(answers, std::back_inserter(found),
                       [&](const HeldOut& one) { return one.fold == fold; });
  return found;
}

Answers outside_fold(const Answers& answers, std::size_t fold) {
  Answers found;
  std::ranges::copy_if(answers, std::back_inserter(found),
                       [&](const HeldOut& one) { return one.fold != fold; });
  return found;
}

}  // namespace espalier
