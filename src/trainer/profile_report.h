// SPDX-License-Identifier: Apache-2.0
// What `profile` found out, ready to be told.
#pragma once

#include <string>
#include <vector>

#include "core/scenario.h"
#include "laboratory/profile.h"
#include "render/ink.h"

namespace espalier {

struct ProfileReport {
  const Scenario& scenario;
  Profile profile;
  std::size_t images = 0;  // that an epoch's cost was found out on
  int repetitions = 0;
  std::string meter;              // which one, and why no other
  std::string output;             // the scenario with the figures; empty where stopped before
  std::vector<std::string> next;  // commands
};

std::string profile_text(const ProfileReport& report, const Ink& ink);
std::string profile_document(const ProfileReport& report);

}  // namespace espalier
