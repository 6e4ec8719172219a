// SPDX-License-Identifier: Apache-2.0
// Tensors of ours and of libtorch. Feature maps and kernels of convolutions lie channels-last
// there: oneDNN is faster on them.
#pragma once

#include <map>
#include <string>

#include "networks/tensors.h"
#include "training/batches.h"
#include "training/torch/aten.h"

namespace espalier {

using TorchTensors = std::map<std::string, at::Tensor>;

at::Tensor torch_tensor(const Tensor& tensor);
TorchTensors torch_tensors(const Tensors& tensors);

// Without what autograd knows of it.
Tensor plain_tensor(const at::Tensor& tensor);
Tensors plain_tensors(const TorchTensors& tensors);

// Views of a batch, valid as long as it is.
struct TorchBatch {
  at::Tensor images;  // [image, channel, row, column]
  at::Tensor labels;  // [image]
};
TorchBatch view_of(const Batch& batch, const ImageShape& shape);

}  // namespace espalier
