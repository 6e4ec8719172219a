// SPDX-License-Identifier: Apache-2.0
#include "networks/parameters.h"

#include "networks/shapes.h"

namespace espalier {
namespace {

// Appends the parameters of one layer.
class ParameterList {
 public:
  explicit ParameterList(const Architecture& architecture) : shapes_(architecture) {
    for (std::size_t i = 0; i < architecture.layers.size(); ++i) {
      layer_ = &architecture.layers[i];
      id_ = {static_cast<int>(i)};
      std::visit(*this, layer_->kind);
    }
  }

  void operator()(const Convolution& convolution) {
    const int64_t in = shapes_.before(*layer_).channels;
    const int64_t out = shapes_.after(id_).channels;
    add("weight", {out, convolution.depthwise ? 1 : in, convolution.kernel, convolution.kernel});
    if (convolution.bias) add("bias", {out});
  }
  void operator()(const Linear& linear) {
    add("weight", {linear.out, shapes_.before(*layer_).channels});
    if (linear.bias) add("bias", {linear.out});
  }
  void operator()(const BatchNorm&) {
    const int64_t channels = shapes_.after(id_).channels;
    add("weight", {channels});
    add("bias", {channels});
    add("running_mean", {channels}, ParameterKind::Statistic);
    add("running_var", {channels}, ParameterKind::Statistic);
  }
  void operator()(const auto&) {}

  std::vector<Parameter> take() && { return std::move(list_); }

 private:
  void add(const char* what, std::vector<int64_t> shape,
           ParameterKind kind = ParameterKind::Trained) {
    list_.push_back({layer_->name + "." + what, std::move(shape), kind, id_});
  }

  const Shapes shapes_;
  const Layer* layer_ = nullptr;
  LayerId id_;
  std::vector<Parameter> list_;
};

bool is_scale(const Architecture& architecture, const Parameter& parameter) {
  const Layer& layer = architecture.layers[static_cast<std::size_t>(parameter.layer.index)];
  return std::holds_alternative<BatchNorm>(layer.kind) &&
         (parameter.name.ends_with(".weight") || parameter.name.ends_with(".running_var"));
}

}  // namespace

int64_t Parameter::values() const {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

std::vector<Parameter> parameters_of(const Architecture& architecture) {
  return ParameterList(architecture).take();
}

Tensors blank_weights(const Architecture& architecture) {
  Tensors weights;
  for (const Parameter& parameter : parameters_of(architecture)) {
    const float value = is_scale(architecture, parameter) ? 1.0F : 0.0F;
    const auto count = static_cast<std::size_t>(parameter.values());
    weights[parameter.name] = {parameter.shape, std::vector<float>(count, value)};
  }
  return weights;
}

int64_t classes_of(const Architecture& architecture) {
  return std::get<Linear>(architecture.layers.back().kind).out;
}

}  // namespace espalier
