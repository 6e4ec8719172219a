// SPDX-License-Identifier: Apache-2.0
// What both sides of the load know: how much there is to do, and what has to come out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "networks/architecture.h"
#include "wire/task.h"

namespace espalier::bench {

struct Load {
  int agents = 200;
  int rounds = 2;
  double width = 1;           // of VGG-11
  bool has_momentum = false;  // as after real training: twice the bytes
  std::filesystem::path folder;

  std::filesystem::path certificates_of(int agent) const;
  std::filesystem::path update_of(int agent, int round) const;
};

std::string name_of_agent(int agent);
// They differ: the average is a weighted one.
std::int64_t samples_of_agent(int agent);
std::int64_t samples_of_all(const Load& load);

Architecture architecture_of(const Load& load);

// What a training would have left behind: a real update, like no other one. The first and the last
// value of each tensor tell whose and of which round it is; all others are zero, so that it takes
// no room on the disk.
ObjectRef write_update(const Load& load, int agent, int round, const std::filesystem::path& path);

// The updates of all agents and rounds, where `update_of` says. Whoever sends them, plainly or not,
// sends these files.
void write_updates(const Load& load);

// What the update that was written is known by.
ObjectRef known_update(const Load& load, int agent, int round);

// Whether this network is the average of the updates of all agents in that round.
bool is_average(const Load& load, int round, const std::filesystem::path& path);

}  // namespace espalier::bench
