// SPDX-License-Identifier: Apache-2.0
#include "training/torch/teacher.h"

namespace espalier {

Teacher::Teacher(const Teaching& teaching)
    : temperature_(teaching.temperature),
      mix_(teaching.mix),
      forward_(teaching.teacher.architecture, torch_tensors(teaching.teacher.weights)) {}

at::Tensor Teacher::loss(const at::Tensor& logits, const TorchBatch& batch) const {
  const at::Tensor divergence =
      at::kl_div(at::log_softmax(logits.div(temperature_), 1), softened(batch), at::Reduction::Sum);
  const double weight = mix_ * temperature_ * temperature_ / static_cast<double>(logits.size(0));
  return divergence.mul(weight).add(at::cross_entropy_loss(logits, batch.labels), 1 - mix_);
}

at::Tensor Teacher::softened(const TorchBatch& batch) const {
  const at::NoGradGuard no_grad;
  return at::softmax(forward_(batch.images, {}).div(temperature_), 1);
}

}  // namespace espalier
