// SPDX-License-Identifier: Apache-2.0
#include "training/torch/torch_tensors.h"

namespace espalier {
namespace {

at::MemoryFormat format_of(const at::Tensor& tensor) {
  return tensor.dim() == 4 ? at::MemoryFormat::ChannelsLast : at::MemoryFormat::Contiguous;
}

// from_blob asks for a pointer that it could write to; nobody here writes through its views.
template <class T>
T* view_pointer(const std::vector<T>& values) {
  return const_cast<T*>(values.data());
}

}  // namespace

at::Tensor torch_tensor(const Tensor& tensor) {
  const at::Tensor view = at::from_blob(view_pointer(tensor.values), tensor.shape, at::kFloat);
  return view.clone(format_of(view));
}

TorchTensors torch_tensors(const Tensors& tensors) {
  TorchTensors copies;
  for (const auto& [name, tensor] : tensors) copies.emplace(name, torch_tensor(tensor));
  return copies;
}

Tensor plain_tensor(const at::Tensor& tensor) {
  const at::Tensor packed = tensor.detach().contiguous();
  const auto* const values = packed.data_ptr<float>();
  return {packed.sizes().vec(), std::vector<float>(values, values + packed.numel())};
}

Tensors plain_tensors(const TorchTensors& tensors) {
  Tensors copies;
  for (const auto& [name, tensor] : tensors) copies.emplace(name, plain_tensor(tensor));
  return copies;
}

TorchBatch view_of(const Batch& batch, const ImageShape& shape) {
  const auto images = static_cast<int64_t>(batch.labels.size());
  const int64_t row = shape.width * shape.channels;
  return {
      at::from_blob(view_pointer(batch.pixels), {images, shape.channels, shape.height, shape.width},
                    {shape.height * row, 1, row, shape.channels}, at::kFloat),
      at::from_blob(view_pointer(batch.labels), {images}, at::kLong)};
}

}  // namespace espalier
