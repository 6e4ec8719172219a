// SPDX-License-Identifier: Apache-2.0
#include "networks/cost.h"

#include "networks/parameters.h"
#include "networks/shapes.h"

namespace espalier {
namespace {

// FLOPs of one layer of each kind.
struct FlopRule {
  const FeatureShape& in;
  const FeatureShape& out;

  int64_t operator()(const Convolution& convolution) const {
    const int64_t seen = convolution.depthwise ? 1 : in.channels;
    const int64_t per_value = 2 * seen * convolution.kernel * convolution.kernel;
    return out.values() * (per_value + (convolution.bias ? 1 : 0));
  }
  int64_t operator()(const Linear& linear) const {
    return out.channels * (2 * in.channels + (linear.bias ? 1 : 0));
  }
  int64_t operator()(const BatchNorm&) const { return 2 * out.values(); }
  int64_t operator()(const MaxPool& pool) const { return out.values() * pool.kernel * pool.kernel; }
  int64_t operator()(const GlobalAverage&) const { return in.values(); }
  int64_t operator()(const Relu&) const { return out.values(); }
  int64_t operator()(const Add&) const { return out.values(); }
  int64_t operator()(const Flatten&) const { return 0; }
  int64_t operator()(const Dropout&) const { return 0; }
};

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  parameters += other.parameters;
  flops += other.flops;
  return *this;
}

std::vector<Cost> layer_costs(const Architecture& architecture) {
  const Shapes shapes(architecture);
  std::vector<Cost> costs;
  for (const Layer& layer : architecture.layers) {
    const LayerId id{static_cast<int>(costs.size())};
    costs.push_back(
        {.flops = std::visit(FlopRule{shapes.before(layer), shapes.after(id)}, layer.kind)});
  }
  for (const Parameter& parameter : parameters_of(architecture)) {
    if (parameter.kind != ParameterKind::Trained) continue;
    costs[static_cast<std::size_t>(parameter.layer.index)].parameters += parameter.values();
  }
  return costs;
}

Cost cost_of(const Architecture& architecture) {
  Cost total;
  for (const Cost& cost : layer_costs(architecture)) total += cost;
  return total;
}

int64_t bytes_of(const Architecture& architecture) {
  int64_t values = 0;
  for (const Parameter& parameter : parameters_of(architecture)) values += parameter.values();
  return values * static_cast<int64_t>(sizeof(float));
}

}  // namespace espalier
