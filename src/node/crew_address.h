// SPDX-License-Identifier: Apache-2.0
// Where the processes of one crew meet, as mpirun or srun tells them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace espalier {

// Either in a folder, all on one machine, or else at an address of the leader's.
struct CrewAddress {
  int rank = 0;  // 0 leads
  int size = 1;
  std::string folder{};  // its name, different for each job; empty: there is an address
  std::string host{};    // of the leader, as the others reach it
  std::uint16_t port = 0;
};

// What a process knows of who launched it.
struct Launch {
  std::function<std::optional<std::string>(const char*)> variable;
  std::string parent{};  // names the process that started it, for ever
};

// "auto": all on one machine, in a folder that follows from the job; or HOST:PORT, where that is no
// address of loopback: whoever says so means one machine, and a folder of the job and the port.
// Rank and size are those of Open MPI, MPICH, or Slurm. Throws Error{BadInput} where they did not
// start it, where "auto" cannot know the leader's machine, or where there are several machines and
// HOST leads this one to itself.
CrewAddress crew_address(const std::string& where, const Launch& launch);

}  // namespace espalier
