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
  const char* ranks_here;               // as many as `size` where all are on one machine
  std::array<const char*, 2> machines;  // the first that there is; or 1
  const char* job;   // none: but it starts all ranks of one machine itself, and says how many
  const char* step;  // of several in one job
};

// In a job of Slurm, mpirun and mpiexec leave its variables to their ranks, whose numbers are not
// these. PMI_RANK is also what srun sets for programs of MPI.
constexpr std::array kLaunchers{
    Launcher{"OMPI_COMM_WORLD_RANK",
             "OMPI_COMM_WORLD_SIZE",
             "OMPI_COMM_WORLD_LOCAL_SIZE",
             {},
             "PMIX_NAMESPACE",
             nullptr},
    Launcher{"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", {}, nullptr, nullptr},
    Launcher{"SLURM_PROCID",
             "SLURM_NTASKS",
             nullptr,
             {"SLURM_STEP_NUM_NODES", "SLURM_NNODES"},
             "SLURM_JOB_ID",
             "SLURM_STEP_ID"},
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

// Nothing where it does not say.
std::optional<bool> is_one_machine(const Launcher& launcher, int size, const Variables& variable) {
  if (const auto here = number_in(variable, launcher.ranks_here)) return *here == size;
  for (const char* name : launcher.machines)
    if (const auto machines = number_in(variable, name)) return *machines == 1;
  return std::nullopt;
}

// Rank and size, where this is who started it.
std::optional<CrewAddress> place_in_crew(const Launcher& launcher, const Variables& variable) {
  const auto rank = number_in(variable, launcher.rank);
  const auto size = number_in(variable, launcher.size);
  if (!rank || !size || *size < 1 || *size > kMostRanks || *rank < 0 || *rank >= *size) return {};
  if (launcher.job == nullptr && !number_in(variable, launcher.ranks_here)) return {};
  return CrewAddress{*rank, *size};
}

[[noreturn]] void refuse_several_machines(const std::string& why, const std::string& hint) {
  throw Error(ErrorCode::BadInput, "the group is on several machines" + why, hint);
}

// Many a machine gives its own name an address of loopback, too: then rank 0 cannot tell the others
// where it is.
bool meets_in_folder(const std::string& where, std::optional<bool> is_one) {
  if (where == "auto") {
    if (!is_one.value_or(false))
      refuse_several_machines("", "--group HOST:PORT says where rank 0 can be reached");
    return true;
  }
  const bool is_here = is_loopback(where);
  if (!is_one.value_or(true) && (is_here || is_unspecified(where)))
    refuse_several_machines(", and '" + shown(where) + "' leads this one to itself",
                            "HOST may be a number, such as 10.0.0.1: that of rank 0's machine");
  return is_here;
}

void find_place(CrewAddress& address, const std::string& where) {
  check_address(shown(where), Port::IsNeeded);
  const HostAndPort place = parts_of(where);
  address.host = place.host;
  address.port = place.port;
}

}  // namespace

CrewAddress crew_address(const std::string& where, const Launch& launch) {
  for (const Launcher& launcher : kLaunchers) {
    auto address = place_in_crew(launcher, launch.variable);
    if (!address) continue;
    if (where != "auto") find_place(*address, where);
    const auto is_one = is_one_machine(launcher, address->size, launch.variable);
    if (meets_in_folder(where, is_one))
      address->folder = folder_of(launcher, launch, address->port);
    return *address;
  }
  throw Error(ErrorCode::BadInput, "--group needs a launcher: there is no rank",
              "mpirun -np 4 espalier node …, or srun -n 4 espalier node …");
}

}  // namespace espalier
