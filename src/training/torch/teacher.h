// SPDX-License-Identifier: Apache-2.0
// The loss of a student that has a teacher.
#pragma once

#include "training/learner.h"
#include "training/torch/forward_pass.h"
#include "training/torch/torch_tensors.h"

namespace espalier {

// Thread-compatible.
class Teacher {
 public:
  // REQUIRES: a valid teaching.
  explicit Teacher(const Teaching& teaching);

  // Of the student's logits.
  at::Tensor loss(const at::Tensor& logits, const TorchBatch& batch) const;

 private:
  at::Tensor softened(const TorchBatch& batch) const;

  double temperature_;
  double mix_;
  ForwardPass forward_;
};

}  // namespace espalier
