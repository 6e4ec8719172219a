// SPDX-License-Identifier: Apache-2.0
#include "training/torch/forward_pass.h"

#include <cstddef>
#include <variant>

namespace espalier {
namespace {

constexpr double kBatchNormEpsilon = 1e-5;

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

std::size_t index_of(LayerId layer) { return static_cast<std::size_t>(layer.index); }

// Who takes the output of each layer, in order.
std::vector<std::vector<std::size_t>> takers_of(const Architecture& architecture) {
  std::vector<std::vector<std::size_t>> takers(architecture.layers.size());
  for (std::size_t taker = 0; taker < takers.size(); ++taker) {
    for (const LayerId input : architecture.layers[taker].inputs) {
      if (input != kImage) takers[index_of(input)].push_back(taker);
    }
  }
  return takers;
}

// Layers whose backward pass doesn't look at what they gave.
bool forgets_output(const LayerKind& kind) {
  return std::holds_alternative<Convolution>(kind) || std::holds_alternative<BatchNorm>(kind) ||
         std::holds_alternative<Linear>(kind) || std::holds_alternative<Add>(kind);
}

at::Tensor rectify(const Relu& layer, at::Tensor x, bool may_overwrite) {
  if (layer.ceiling > 0) {
    return may_overwrite ? at::hardtanh_(x, 0, layer.ceiling) : at::hardtanh(x, 0, layer.ceiling);
  }
  return may_overwrite ? at::relu_(x) : at::relu(x);
}

at::Tensor drop(const Dropout& layer, const at::Tensor& x, const Pass& pass) {
  if (pass.mode == PassMode::Working || layer.probability <= 0) return x;
  const double kept = 1 - layer.probability;
  // libtorch's own dropout draws from a generator that the whole process shares.
  return x.mul(at::empty_like(x.detach()).bernoulli_(kept, pass.dropout).div_(kept));
}

}  // namespace

ForwardPass::ForwardPass(const Architecture& architecture, const TorchTensors& weights) {
  for (const Layer& layer : architecture.layers) nodes_.push_back(node_of(layer, weights));
  plan_memory(architecture);
}

ForwardPass::Node ForwardPass::node_of(const Layer& layer, const TorchTensors& weights) {
  const auto tensor = [&](const char* part) {
    const auto found = weights.find(layer.name + part);
    return found == weights.end() ? at::Tensor() : found->second;
  };
  return {.kind = layer.kind,
          .inputs = layer.inputs,
          .weight = tensor(".weight"),
          .bias = tensor(".bias"),
          .running_mean = tensor(".running_mean"),
          .running_var = tensor(".running_var")};
}

void ForwardPass::plan_memory(const Architecture& architecture) {
  const auto takers = takers_of(architecture);
  for (std::size_t giver = 0; giver < takers.size(); ++giver) {
    if (takers[giver].empty()) continue;
    Node& last = nodes_[takers[giver].back()];
    last.finished.push_back({static_cast<int>(giver)});
    last.may_overwrite = takers[giver].size() == 1 && forgets_output(nodes_[giver].kind);
  }
}

at::Tensor ForwardPass::operator()(const at::Tensor& images, const Pass& pass) const {
  std::vector<at::Tensor> outputs(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    std::vector<at::Tensor> inputs;
    for (const LayerId input : nodes_[i].inputs) {
      inputs.push_back(input == kImage ? images : outputs[index_of(input)]);
    }
    if (pass.watch) pass.watch({static_cast<int>(i)}, inputs.front());
    outputs[i] = apply(nodes_[i], inputs, pass);
    for (const LayerId done : nodes_[i].finished) outputs[index_of(done)].reset();
  }
  return outputs.back();
}

at::Tensor ForwardPass::apply(const Node& node, const std::vector<at::Tensor>& inputs,
                              const Pass& pass) {
  const at::Tensor& x = inputs.front();
  return std::visit(
      Overloaded{
          [&](const Convolution& layer) {
            const int64_t groups = layer.depthwise ? x.size(1) : 1;
            return at::conv2d(x, node.weight, node.bias, layer.stride, layer.padding, 1, groups);
          },
          [&](const BatchNorm&) {
            return at::batch_norm(x, node.weight, node.bias, node.running_mean, node.running_var,
                                  pass.mode == PassMode::Training, pass.statistics_rate,
                                  kBatchNormEpsilon, false);
          },
          [&](const Relu& layer) { return rectify(layer, x, node.may_overwrite); },
          [&](const MaxPool& layer) { return at::max_pool2d(x, layer.kernel, layer.stride); },
          [&](const GlobalAverage&) {
            return x.mean({2, 3}, true);
          },
          [&](const Flatten&) { return x.flatten(1); },
          [&](const Dropout& layer) { return drop(layer, x, pass); },
          [&](const Linear&) { return at::linear(x, node.weight, node.bias); },
          [&](const Add&) { return x.add(inputs.back()); },
      },
      node.kind);
}

}  // namespace espalier
