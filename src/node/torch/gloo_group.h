// SPDX-License-Identifier: Apache-2.0
// A group of processes that add up numbers over c10d with Gloo. Includes headers of libtorch: for
// this folder only.
#pragma once

#include <chrono>
#include <string>

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "training/batch_group.h"

namespace espalier {

struct GlooPlace {
  int rank = 0;
  int size = 1;
  std::string address = "127.0.0.1";  // a number of this machine's, by which the others reach it
  std::chrono::milliseconds patience{20'000};
};

// Owned by one thread.
class GlooGroup final : public BatchGroup {
 public:
  // All members meet in `store`, which must have nothing in it yet. Throws Error{RunFailed}.
  GlooGroup(const c10::intrusive_ptr<c10d::Store>& store, const GlooPlace& place);

  int rank() const override { return place_.rank; }
  int size() const override { return place_.size; }
  void add_up(std::span<float> values) override;
  // Everybody gets those of rank 0. REQUIRES: as many bytes everywhere.
  void hand_out(std::string& bytes);

 private:
  const GlooPlace place_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace espalier
