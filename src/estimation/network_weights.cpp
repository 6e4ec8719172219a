// SPDX-License-Identifier: Apache-2.0
#include "estimation/network_weights.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/error.h"
#include "estimation/network_inputs.h"

namespace espalier {
namespace {

[[noreturn]] void bad_weights(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::BadInput, "estimator: " + name + " " + what,
              "fit the estimators again, or take another copy of their file");
}

void add_layer(std::vector<WeightSpec>& specs, const std::string& name, std::int64_t out,
               std::int64_t in) {
  specs.push_back({name + ".weight", {out, in}});
  specs.push_back({name + ".bias", {out}});
}

void add_standard(std::vector<WeightSpec>& specs, const std::string& name, std::int64_t inputs) {
  specs.push_back({name + ".mean", {inputs}});
  specs.push_back({name + ".deviation", {inputs}});
}

const Tensor& tensor_of(const Tensors& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) bad_weights(name, "is missing");
  return found->second;
}

// The width of a layer, from its bias.
std::int64_t width_of(const Tensors& weights, const std::string& name) {
  const Tensor& bias = tensor_of(weights, name);
  const auto width = static_cast<std::int64_t>(bias.values.size());
  if (width < 1 || width > 4 * kWidestLayer) bad_weights(name, "has an impossible size");
  return width;
}

bool must_be_positive(std::string_view name) {
  return name.ends_with(".deviation") || name.ends_with(".scale");
}

void check_values(const WeightSpec& spec, const Tensor& tensor) {
  const bool positive = must_be_positive(spec.name);
  const auto is_good = [&](float value) {
    return std::isfinite(value) && (!positive || value > 0);
  };
  if (std::ranges::all_of(tensor.values, is_good)) return;
  bad_weights(spec.name,
              positive ? "has a value that isn't above 0" : "has a value that isn't finite");
}

std::size_t volume(const std::vector<std::int64_t>& shape) {
  std::size_t product = 1;
  for (const std::int64_t size : shape) product *= static_cast<std::size_t>(size);
  return product;
}

void check_weights(const Tensors& weights, const std::vector<WeightSpec>& specs) {
  for (const WeightSpec& spec : specs) {
    const Tensor& tensor = tensor_of(weights, spec.name);
    if (tensor.shape != spec.shape || tensor.values.size() != volume(spec.shape)) {
      bad_weights(spec.name, "has another shape than the rest of the network");
    }
    check_values(spec, tensor);
  }
  if (weights.size() == specs.size()) return;
  for (const auto& [name, tensor] : weights) {
    if (std::ranges::find(specs, name, &WeightSpec::name) == specs.end()) {
      bad_weights(name, "is unknown");
    }
  }
}

}  // namespace

std::vector<WeightSpec> weight_specs(const RunShape& shape) {
  std::vector<WeightSpec> specs;
  add_standard(specs, "losses", kLossInputs);
  add_standard(specs, "places", kPlaceInputs);
  specs.push_back({"lstm.inputs.weight", {4 * shape.hidden, kLossInputs}});
  specs.push_back({"lstm.memory.weight", {4 * shape.hidden, shape.hidden}});
  specs.push_back({"lstm.bias", {4 * shape.hidden}});
  add_layer(specs, "places", shape.places, kPlaceInputs);
  add_layer(specs, "joined", shape.joined, shape.hidden + shape.places);
  add_layer(specs, "output", kRangeOutputs * kEpochsAhead, shape.joined);
  specs.push_back({"output.scale", {kEpochsAhead}});
  return specs;
}

std::vector<WeightSpec> weight_specs(const ChangeShape& shape) {
  std::vector<WeightSpec> specs;
  add_standard(specs, "change", kChangeInputs);
  add_layer(specs, "first", shape.first, kChangeInputs);
  add_layer(specs, "second", shape.second, shape.first);
  add_layer(specs, "output", kRangeOutputs, shape.second);
  specs.push_back({"output.scale", {1}});
  return specs;
}

RunShape run_shape(const Tensors& weights) {
  const std::int64_t gates = width_of(weights, "lstm.bias");
  if (gates % 4 != 0) bad_weights("lstm.bias", "has an impossible size");
  const RunShape shape{gates / 4, width_of(weights, "places.bias"),
                       width_of(weights, "joined.bias")};
  check_weights(weights, weight_specs(shape));
  return shape;
}

ChangeShape change_shape(const Tensors& weights) {
  const ChangeShape shape{width_of(weights, "first.bias"), width_of(weights, "second.bias")};
  check_weights(weights, weight_specs(shape));
  return shape;
}

}  // namespace espalier
