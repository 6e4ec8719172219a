// SPDX-License-Identifier: Apache-2.0
#include "estimation/curve_lanes.h"

#include <algorithm>

#include "core/error.h"

namespace espalier {
namespace {

std::size_t longest(std::span<const History> histories) {
  std::size_t most = 0;
  for (const History& history : histories) most = std::max(most, history.losses.size());
  return most;
}

void copy_column(const std::vector<LaneRow>& from, std::size_t lane, std::vector<LaneRow>& to,
                 std::size_t to_lane) {
  for (std::size_t row = 0; row < from.size(); ++row) to[row].of[to_lane] = from[row].of[lane];
}

}  // namespace

CurveLanes::CurveLanes(const RunNetwork& network, std::size_t size)
    : network_(&network), size_(size), scratch_(network.scratch()) {
  Block idle{.memory = network.fresh_memory()};
  idle.first.fill(1);
  blocks_.assign((size + kLanes - 1) / kLanes, idle);
}

CurveLanes::CurveLanes(const RunNetwork& network, std::span<const History> histories)
    : CurveLanes(network, histories.size()) {
  for (const History& history : histories) check_history(history);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto mine = histories.subspan(i * kLanes);
    read_histories(blocks_[i], mine.first(std::min(kLanes, mine.size())));
  }
}

// Curves that end early are kept as they were, while the others of the block go on.
void CurveLanes::read_histories(Block& block, std::span<const History> histories) {
  for (std::size_t lane = 0; lane < histories.size(); ++lane) {
    block.first[lane] = histories[lane].losses.front();
    block.stage[lane] = static_cast<double>(histories[lane].stage);
    const auto inputs = condition_inputs(histories[lane].now);
    for (std::size_t i = 0; i < inputs.size(); ++i) block.conditions[i].of[lane] = inputs[i];
  }
  Block ended = block;
  std::array<double, kLanes> losses{};
  const std::size_t end = longest(histories);
  for (std::size_t place = 0; place < end; ++place) {
    for (std::size_t lane = 0; lane < histories.size(); ++lane) {
      const auto& mine = histories[lane].losses;
      losses[lane] = mine[std::min(place, mine.size() - 1)];
    }
    block.place.fill(static_cast<double>(place));
    step(block, losses);
    for (std::size_t lane = 0; lane < histories.size(); ++lane) {
      if (place == histories[lane].stage) block.stage_level[lane] = block.level[lane];
      if (place + 1 == histories[lane].losses.size()) copy_lane(block, lane, ended, lane);
    }
  }
  block = std::move(ended);
}

void CurveLanes::copy_lane(const Block& from, std::size_t lane, Block& to, std::size_t to_lane) {
  copy_column(from.memory.hidden, lane, to.memory.hidden, to_lane);
  copy_column(from.memory.cell, lane, to.memory.cell, to_lane);
  to.first[to_lane] = from.first[lane];
  to.newest[to_lane] = from.newest[lane];
  to.level[to_lane] = from.level[lane];
  to.stage_level[to_lane] = from.stage_level[lane];
  to.place[to_lane] = from.place[lane];
  to.stage[to_lane] = from.stage[lane];
  for (std::size_t i = 0; i < kConditionInputs; ++i) {
    to.conditions[i].of[to_lane] = from.conditions[i].of[lane];
  }
}

void CurveLanes::step(Block& block, const std::array<double, kLanes>& losses) {
  const std::array<double, kLanes> before = block.level;
  block.newest = losses;
  loss_levels(losses.data(), block.first.data(), block.level.data(), kLanes);
  RunNetwork::LossInputs rows;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const auto inputs = loss_inputs(before[lane], block.level[lane]);
    for (std::size_t i = 0; i < kLossInputs; ++i) rows[i].of[lane] = inputs[i];
  }
  network_->read(block.memory, rows, scratch_);
}

CurveLanes CurveLanes::repeated(std::size_t times) const {
  CurveLanes copies(*network_, size_ * times);
  for (std::size_t i = 0; i < copies.size_; ++i) {
    const std::size_t from = i / times;
    copy_lane(blocks_[from / kLanes], from % kLanes, copies.blocks_[i / kLanes], i % kLanes);
  }
  return copies;
}

// Block by block rather than epoch by epoch: what a block needs stays in the nearest cache.
void CurveLanes::read(std::span<const double> losses) {
  if (size_ == 0) return;
  ESPALIER_CHECK(losses.size() % size_ == 0);
  for (std::size_t begin = 0; begin < size_; begin += kLanes) {
    Block& block = blocks_[begin / kLanes];
    const std::size_t lanes = std::min(kLanes, size_ - begin);
    for (std::size_t epoch = 0; epoch < losses.size(); epoch += size_) {
      std::array<double, kLanes> mine{};
      std::ranges::copy(losses.subspan(epoch + begin, lanes), mine.begin());
      for (double& place : block.place) ++place;
      step(block, mine);
    }
  }
}

RunNetwork::PlaceInputs CurveLanes::place_rows(const Block& block) {
  RunNetwork::PlaceInputs rows = block.conditions;
  std::array<double, kLanes> since;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    since[lane] = block.place[lane] - block.stage[lane];
    rows[kConditionInputs + 2].of[lane] =
        static_cast<float>(block.level[lane] - block.stage_level[lane]);
  }
  log_counts(since.data(), rows[kConditionInputs].of.data(), kLanes);
  log_counts(block.place.data(), rows[kConditionInputs + 1].of.data(), kLanes);
  return rows;
}

void CurveLanes::forecast(std::span<Forecast> forecasts) const {
  ESPALIER_CHECK(forecasts.size() == size_);
  LaneScratch scratch = network_->scratch();
  for (std::size_t i = 0; i < size_; i += kLanes) {
    const Block& block = blocks_[i / kLanes];
    const auto outputs = network_->forecast(block.memory, place_rows(block), scratch);
    for (std::size_t lane = 0; lane < std::min(kLanes, size_ - i); ++lane) {
      const double unit = loss_unit(block.newest[lane], block.first[lane]);
      forecasts[i + lane] = lane_forecast(outputs, lane, block.newest[lane], unit);
    }
  }
}

}  // namespace espalier
