// SPDX-License-Identifier: Apache-2.0
// One step that a group takes together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "training/batch_group.h"
#include "training/torch/aten.h"

namespace espalier {

// At first a member's own, after `exchange` the sum over all.
struct GroupStep {
  std::vector<at::Tensor> gradients;
  double loss = 0;     // in single precision
  bool stops = false;  // one of them at least is asked to stop
};

// Which images of a batch are those of this member: at least two, or none.
std::span<const uint32_t> own_part(std::span<const uint32_t> batch, const BatchGroup& group);

// Throws what the group throws.
void exchange(GroupStep& step, BatchGroup& group);

// What batch norms remember becomes the mean over all members.
void share_statistics(const std::vector<at::Tensor>& remembered, BatchGroup& group);

}  // namespace espalier
