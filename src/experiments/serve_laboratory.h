// SPDX-License-Identifier: Apache-2.0
// A trainer: a process that carries out the orders of a collector, until that goes away.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "core/scenario.h"
#include "experiments/laboratory.h"

namespace espalier {

// Where a trainer finds the socket to its collector.
inline constexpr int kTrainerSocket = 3;

using LaboratoryMaker = std::function<std::unique_ptr<Laboratory>(const Scenario&)>;

// Makes the laboratory for `folder`/scenario.yaml and serves until the other end of the socket is
// closed. Whatever fails is told to the collector. Returns the exit code.
int serve_laboratory(const std::filesystem::path& folder, int socket, const LaboratoryMaker& make);

// Whether there is somebody at the other end of kTrainerSocket.
bool is_started_by_collector();

// main() of a trainer: espalier-trainer FOLDER, started by a collector. Dies with it.
int trainer_main(int argc, char** argv, const LaboratoryMaker& make);

}  // namespace espalier
