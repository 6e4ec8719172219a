// SPDX-License-Identifier: Apache-2.0
// What the leader and the followers of a crew tell each other at their meeting place.
#pragma once

#include <string>
#include <vector>

#include "datasets/dataset.h"

namespace espalier {

// The names of texts. Orders have numbers: 1, 2, …
std::string data_key(int rank);                // from followers: of which images
std::string left_key(int rank);                // from followers: that they are here no more
std::string order_key(int number);             // from the leader: a CrewOrder
std::string answer_key(int number, int rank);  // from followers: that they have read it
std::string crew_key(int number);              // from the leader: the ranks that take part
std::string group_key(int number);             // before the names of what these tell each other
std::string energy_key(int number, int rank);  // from followers: an EnergyPart
inline constexpr const char* kLatestKey =
    "latest";  // from the leader: the number of its last order

std::string words_of(const std::vector<int>& ranks);
std::vector<int> ranks_in(const std::string& words);

// The same for the same images, whoever computes it.
std::string fingerprint_of(const Images& images);

// The same for all processes of one machine, and for no others.
std::string this_machine();

}  // namespace espalier
