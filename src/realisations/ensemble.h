// SPDX-License-Identifier: Apache-2.0
// Many realisations of one problem that follow the same plan side by side.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.h"
#include "realisations/luck_table.h"

namespace espalier {

// Member i is run first_run + i of the seed: its losses are, to the last bit, those of
// Truth(actual, seed, first_run + i). Time and energy of a plan are the same for all members and
// not kept. Holds 8 bytes per member, prepared epoch and different noise of the problem.
// Thread-compatible: const functions may run at the same time.
class Ensemble {
 public:
  // `actual` must outlive this.
  Ensemble(const Problem& actual, std::uint64_t seed, std::size_t members,
           std::uint64_t first_run = 0);

  std::size_t size() const { return size_; }

  // Draws the luck of all epochs up to this one that is not drawn yet, on up to `workers` threads
  // (0: one per core).
  void prepare(int last_epoch, unsigned workers = 0);
  int prepared() const { return prepared_; }

  // Epoch number `epoch` at `to`, coming from `from`: losses[i] becomes that of member
  // first_member + i after it. Blocks of about a thousand members, each taken through many epochs,
  // stay in the cache. REQUIRES: 1 ≤ epoch ≤ prepared(), the change and the epoch are possible,
  // the members exist and their losses are ≥ 0.
  void advance(std::span<double> losses, int epoch, PlacementId from, PlacementId to,
               std::size_t first_member = 0) const;

 private:
  void draw_runs(std::size_t first, std::size_t count);
  void draw_epoch(int epoch, std::size_t first, std::size_t count);
  const LuckTable& luck_of_jumps(double sigma) const;

  const Problem* actual_;
  std::uint64_t seed_;
  std::uint64_t first_run_;
  std::size_t size_;
  int prepared_ = 0;
  std::vector<LuckTable> decreases_;      // one for each different noise
  std::vector<std::size_t> decrease_of_;  // by placement, position in decreases_
  std::vector<LuckTable> jumps_;          // one for each different noise, the least first
};

}  // namespace espalier
