// SPDX-License-Identifier: Apache-2.0
// What calls and streams need, and share.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "net/door.h"
#include "net/open_calls.h"
#include "net/places.h"
#include "wire/link.h"

namespace espalier {

// Answers of the desk may come after the server has gone; by then all calls are over, and touch the
// door at most. Thread-safe.
struct Reception {
  Reception(Desk& the_desk, std::function<void(const std::string&)> noticed,
            std::optional<std::filesystem::path> certificates, PlaceLimits limits)
      : desk(the_desk), notice(std::move(noticed)), door(std::move(certificates)), places(limits) {}

  void note_refusal(const std::string& whom, const std::string& why) const {
    if (notice) notice("refused " + whom + ": " + why);
  }
  void note_refusal(const Caller& whom, const std::string& why) const {
    note_refusal(whom.node.value + " (" + whom.address + ")", why);
  }

  Desk& desk;
  const std::function<void(const std::string&)> notice;
  Door door;
  OpenCalls open;
  Places places;
};

}  // namespace espalier
