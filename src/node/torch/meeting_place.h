// SPDX-License-Identifier: Apache-2.0
// Where a crew agrees on who takes part in what. Includes headers of libtorch: for this folder
// only.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "node/crew_address.h"
#include "node/torch/gloo_group.h"

namespace espalier {

// Whether there is no use in waiting any longer.
using IsHopeless = std::function<bool()>;

// A small store of short texts: in a private folder where the address is one, else at the leader,
// on a port that everybody may reach. Everything throws Error{RunFailed} where the leader is gone.
// Owned by one thread.
class MeetingPlace {
 public:
  // Followers wait for the leader for some time. Throws where they are stopped first.
  explicit MeetingPlace(const CrewAddress& address, const std::stop_token& stop = {});

  void put(const std::string& key, const std::string& value);
  std::optional<std::string> look(const std::string& key);
  void clear(const std::string& key);
  // Nothing where it is hopeless or `patience` is over, and still nothing there.
  std::optional<std::string> wait_for(const std::string& key, std::chrono::milliseconds patience,
                                      const IsHopeless& is_hopeless = {});

  // Of these ranks, in this order; every one of them must call it. Throws where they do not come
  // before it is hopeless.
  GlooGroup form(const std::string& name, const std::vector<int>& ranks,
                 std::chrono::milliseconds patience, IsHopeless is_hopeless = {});

 private:
  const CrewAddress address_;
  c10::intrusive_ptr<c10d::Store> store_;
  const std::string own_address_;
};

}  // namespace espalier
