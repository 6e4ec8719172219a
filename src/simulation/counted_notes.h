// SPDX-License-Identifier: Apache-2.0
// What planners say again and again.
#pragma once

#include <string>
#include <vector>

namespace espalier {

// Something a planner said, and how often it said so.
struct CountedNote {
  std::string text;
  int count = 0;
};

// Notes that differ in their figures alone are the same; the first one's are kept.
void count_note(std::vector<CountedNote>& notes, const CountedNote& note);

}  // namespace espalier
