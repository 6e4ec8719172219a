// SPDX-License-Identifier: Apache-2.0
// The images that a node owns. They never leave it.
#pragma once

#include <cstddef>
#include <string>

#include "core/scenario.h"
#include "datasets/registry.h"
#include "training/samples.h"

namespace espalier {

// Nothing of what others own is in memory.
struct OwnData {
  std::string name;  // of the data set, for people
  Images images{};
  int classes = 0;  // of the data set
};

// Which of a data set's training images are one's own: part `part` of `parts`, and at most `most`
// of these (0: all). All are spread evenly over the data set.
struct OwnPart {
  std::size_t part = 1;
  std::size_t parts = 1;
  std::size_t most = 0;
};

// "all", "500", "2/3" or "2/3:500". Throws Error{BadInput}.
OwnPart parse_own_part(const std::string& text);

// Throws Error{BadInput} where the data set is not there, is damaged, or leaves nothing.
OwnData open_own_data(const std::string& dataset, const OwnPart& part, const OpenOptions& options);

// What the scenario allots to member 1, 2, … of a node set: the same images as OwnedData gives it.
// Throws Error{BadInput}.
OwnData open_member_data(const Scenario& scenario, const std::string& nodes, int member,
                         const OpenOptions& options);

// `count` of the images, the same ones each time, spread evenly over all; all of them where `count`
// is 0 or more than there are. The images must outlive it.
Samples spread_over(const Images& images, std::size_t count);

}  // namespace espalier
