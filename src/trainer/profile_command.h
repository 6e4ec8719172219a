// SPDX-License-Identifier: Apache-2.0
// The command `profile`, as espalier-trainer carries it out.
#pragma once

#include <functional>
#include <memory>

#include "cli/commands.h"
#include "core/clock.h"
#include "laboratory/training_laboratory.h"

namespace espalier {

// What the command works with; chosen where the program starts.
struct ProfileTools {
  std::function<std::unique_ptr<TrainingLaboratory>(const Scenario&)> laboratory;
  const Clock& clock;
  std::string meter;  // which one, and why no other
};

// `tools` must outlive the app.
void add_real_profile_command(CLI::App& app, Invocation& call, const ProfileTools& tools);

}  // namespace espalier
