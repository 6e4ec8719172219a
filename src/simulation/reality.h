// SPDX-License-Identifier: Apache-2.0
// What happens in a run, whatever was believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/problem.h"

namespace espalier {

// One for each run: it may remember what was done. Owned by one thread.
class Reality {
 public:
  virtual ~Reality() = default;
  // One epoch at `to`: the change, then the epoch. Nothing if that is not possible. Each call goes
  // on from where the one before ended, the first from the start.
  virtual std::optional<State> advance(const State& from, PlacementId to) = 0;
  // The loss right after the change that the last epoch began with; nothing if nobody knows it.
  virtual std::optional<Loss> arrival() const { return std::nullopt; }
  // Epochs so far of which nobody knows what they would have done.
  virtual int unknown_epochs() const { return 0; }
};

// The reality of run number `run`. Called by several threads at once.
using MakeReality = std::function<std::unique_ptr<Reality>(std::uint64_t seed, std::size_t run)>;

// The rules of `actual`, which must outlive it, and a luck of its own for each run: what
// realisations/truth.h draws.
MakeReality reality_of(const Problem& actual);

}  // namespace espalier
