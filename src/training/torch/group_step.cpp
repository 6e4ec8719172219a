// SPDX-License-Identifier: Apache-2.0
#include "training/torch/group_step.h"

#include <algorithm>

namespace espalier {
namespace {

// A batch norm learns nothing from one image.
constexpr std::size_t kFewestImages = 2;

at::Tensor joined(const std::vector<at::Tensor>& tensors, int64_t more) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& tensor : tensors) rows.push_back(tensor.detach().reshape({-1}));
  rows.push_back(at::zeros_like(rows.front()).resize_({more}));
  return at::cat(rows);
}

void add_up(at::Tensor& values, BatchGroup& group) {
  group.add_up({values.data_ptr<float>(), static_cast<std::size_t>(values.numel())});
}

void take_apart(const at::Tensor& values, const std::vector<at::Tensor>& tensors) {
  const at::NoGradGuard no_grad;
  int64_t begin = 0;
  for (const at::Tensor& tensor : tensors) {
    tensor.detach().copy_(values.narrow(0, begin, tensor.numel()).view(tensor.sizes()));
    begin += tensor.numel();
  }
}

}  // namespace

std::span<const uint32_t> own_part(std::span<const uint32_t> batch, const BatchGroup& group) {
  const auto parts = std::clamp(batch.size() / kFewestImages, std::size_t{1},
                                static_cast<std::size_t>(group.size()));
  const auto rank = static_cast<std::size_t>(group.rank());
  if (rank >= parts) return {};
  const std::size_t begin = batch.size() * rank / parts;
  return batch.subspan(begin, batch.size() * (rank + 1) / parts - begin);
}

void exchange(GroupStep& step, BatchGroup& group) {
  at::Tensor all = joined(step.gradients, 2);
  float* extra = all.data_ptr<float>() + all.numel() - 2;
  extra[0] = static_cast<float>(step.loss);
  extra[1] = step.stops ? 1.0F : 0.0F;
  add_up(all, group);
  step.loss = extra[0];
  step.stops = extra[1] > 0;
  take_apart(all, step.gradients);
}

void share_statistics(const std::vector<at::Tensor>& remembered, BatchGroup& group) {
  if (remembered.empty()) return;
  at::Tensor all = joined(remembered, 0);
  add_up(all, group);
  all.div_(group.size());
  take_apart(all, remembered);
}

}  // namespace espalier
