// SPDX-License-Identifier: Apache-2.0
#include "node/crew_address.h"

#include <array>
#include <charconv>

#include "core/error.h"
#include "io/wording.h"
#include "wire/address.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using Variables = std::function<std::optional<std::string>(const char*)>;

// What one launcher calls these.
struct Launcher {
  const char* rank;
  const char* size;
  const char* ranks_here;  // as many as `size` where all are on one machine
  const char* machines;    // or 1
  const char* job;         // none: but it starts all ranks of one machine itself
  const char* step;        // of several in one job
};

constexpr std::array kLaunchers{
    Launcher{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", nullptr,
             "PMIX_NAMESPACE", nullptr},
    Launcher{"SLURM_PROCID", "SLURM_NTASKS", nullptr, "SLURM_NNODES", "SLURM_JOB_ID",
             "SLURM_STEP_ID"},
    Launcher{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", nullptr, nullptr, nullptr},
};

constexpr int kMostRanks = 10'000;
constexpr std::size_t kDigitsOfFolder = 24;

std::optional<int> number_in(const Variables& variable, const char* name) {
  const auto text = name == nullptr ? std::nullopt : variable(name);
  int value = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

// Whatever a launcher calls its jobs.
std::string folder_of(const Launcher& launcher, const Launch& launch, int port) {
  std::string words = launcher.rank;
  for (const char* name : {launcher.job, launcher.step})
    words += "\n" + (name == nullptr ? "" : launch.variable(name).value_or(""));
  if (launcher.job == nullptr) words += launch.parent;
  words += "\n" + std::to_string(port);
  return "espalier-group-" + object_of(words).sha256.substr(0, kDigitsOfFolder);
}

bool is_one_machine(const Launcher& launcher, int size, const Variables& variable) {
  return number_in(variable, launcher.ranks_here) == size ||
         number_in(variable, launcher.machines) == 1;
}

void find_place(CrewAddress& address, const std::string& where) {
  const auto colon = where.rfind(':');
  int port = 0;
  if (colon != std::string::npos && colon > 0) {
    const char* begin = where.data() + colon + 1;
    const char* end = where.data() + where.size();
    const auto [stop, error] = std::from_chars(begin, end, port);
    if (error != std::errc() || stop != end) port = 0;
  }
  if (port < 1 || port > 65'535)
    throw Error(ErrorCode::BadInput, "'" + shown(where) + "' is no address of a group",
                "--group auto, or --group HOST:PORT with the machine of rank 0");
  address.host = where.substr(0, colon);
  address.port = static_cast<std::uint16_t>(port);
}

}  // namespace

CrewAddress crew_address(const std::string& where, const Launch& launch) {
  for (const Launcher& launcher : kLaunchers) {
    const auto rank = number_in(launch.variable, launcher.rank);
    const auto size = number_in(launch.variable, launcher.size);
    if (!rank || !size || *size < 1 || *size > kMostRanks || *rank < 0 || *rank >= *size) continue;
    CrewAddress address{*rank, *size};
    if (where != "auto") {
      find_place(address, where);
    } else if (!is_one_machine(launcher, *size, launch.variable)) {
      throw Error(ErrorCode::BadInput, "the group is on several machines",
                  "--group HOST:PORT says where rank 0 can be reached");
    }
    if (where == "auto" || is_loopback(where))
      address.folder = folder_of(launcher, launch, address.port);
    return address;
  }
  throw Error(ErrorCode::BadInput, "--group needs a launcher: there is no rank",
              "mpirun -np 4 espalier node …, or srun -n 4 espalier node …");
}

}  // namespace espalier
