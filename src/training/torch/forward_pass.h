// SPDX-License-Identifier: Apache-2.0
// An architecture as libtorch computes it.
#pragma once

#include <functional>
#include <vector>

#include "networks/architecture.h"
#include "training/torch/aten.h"
#include "training/torch/torch_tensors.h"

namespace espalier {

enum class PassMode {
  Training,  // dropout on; batch norms use the statistics of the batch, and remember them
  Working,   // dropout off; batch norms use the statistics that they remember
};

struct Pass {
  PassMode mode = PassMode::Working;
  at::Generator dropout{};       // used in training only
  double statistics_rate = 0.1;  // weight of a batch's statistics in the remembered ones
  // Is shown what each layer takes first, before it does.
  std::function<void(LayerId, const at::Tensor&)> watch{};
};

// Shares the tensors it is given: who changes them changes what it computes. Thread-compatible.
class ForwardPass {
 public:
  // REQUIRES: a valid architecture, and its weights.
  ForwardPass(const Architecture& architecture, const TorchTensors& weights);

  // Logits [image, class] of images [image, channel, row, column].
  at::Tensor operator()(const at::Tensor& images, const Pass& pass) const;

 private:
  // A layer with its tensors; those that it doesn't have are undefined.
  struct Node {
    LayerKind kind;
    std::vector<LayerId> inputs;
    bool may_overwrite = false;       // its input: nobody else needs it
    std::vector<LayerId> finished{};  // outputs that nobody needs after it
    at::Tensor weight{};
    at::Tensor bias{};
    at::Tensor running_mean{};
    at::Tensor running_var{};
  };

  static Node node_of(const Layer& layer, const TorchTensors& weights);
  void plan_memory(const Architecture& architecture);
  static at::Tensor apply(const Node& node, const std::vector<at::Tensor>& inputs,
                          const Pass& pass);

  std::vector<Node> nodes_;
};

}  // namespace espalier
