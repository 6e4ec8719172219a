// SPDX-License-Identifier: Apache-2.0
// Learning curves read side by side: once a curve was read, one more loss costs one step of the
// network. For roll-outs, which draw a loss, read it, and forecast again.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/run_network.h"

namespace espalier {

// Owned by one thread. Borrows the network.
class CurveLanes {
 public:
  // Reads them all. Throws Error{BadInput} where one is empty or holds what is no loss.
  CurveLanes(const RunNetwork& network, std::span<const History> histories);

  std::size_t size() const { return size_; }

  // `times` of each curve, beside each other: those of curve i begin at i·times.
  CurveLanes repeated(std::size_t times) const;

  // One more loss for each, one epoch later, or those of several epochs, one epoch after the other.
  // REQUIRES: a multiple of size(), all of them finite and ≥ 0.
  void read(std::span<const double> losses);

  // REQUIRES: room for size().
  void forecast(std::span<Forecast> forecasts) const;

 private:
  // kLanes curves; those beyond the last one are idle.
  struct Block {
    LaneMemory memory;
    std::array<double, kLanes> first{};
    std::array<double, kLanes> newest{};
    std::array<double, kLanes> level{};
    std::array<double, kLanes> stage_level{};
    std::array<double, kLanes> place{};
    std::array<double, kLanes> stage{};
    RunNetwork::PlaceInputs conditions{};  // those of place_inputs() that stay the same
  };

  CurveLanes(const RunNetwork& network, std::size_t size);
  void read_histories(Block& block, std::span<const History> histories);
  void step(Block& block, const std::array<double, kLanes>& losses);
  static void copy_lane(const Block& from, std::size_t lane, Block& to, std::size_t to_lane);
  static RunNetwork::PlaceInputs place_rows(const Block& block);

  const RunNetwork* network_;
  std::size_t size_;
  std::vector<Block> blocks_;
  LaneScratch scratch_;
};

}  // namespace espalier
