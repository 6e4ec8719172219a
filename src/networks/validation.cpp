// SPDX-License-Identifier: Apache-2.0
#include "networks/validation.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "networks/architecture_limits.h"
#include "networks/layer_fault.h"
#include "networks/parameters.h"
#include "networks/shapes.h"

namespace espalier {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, what, hint);
}

bool is_safe(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

void check_image(const ImageShape& image) {
  const int64_t sides[] = {image.height, image.width};
  const bool fits =
      image.channels >= 1 && image.channels <= kMostChannels &&
      std::ranges::all_of(sides, [](int64_t side) { return side >= 1 && side <= kLargestSide; });
  if (!fits || shape_of(image).values() > kMostFeatures) {
    refuse(fmt::format("images of {}×{}×{}: not a size that a network can take", image.channels,
                       image.height, image.width),
           fmt::format("sides from 1 to {}, at least one channel", kLargestSide));
  }
}

void check_names(const Architecture& architecture) {
  if (!is_safe_name(architecture.name)) {
    refuse("the network's name '" + shown_name(architecture.name) + "' is not allowed",
           "1 to 64 letters, digits, '.', '_' or '-'");
  }
  std::set<std::string_view> seen;
  for (const Layer& layer : architecture.layers) {
    if (!is_safe_name(layer.name)) {
      fail_at(layer, "this name is not allowed", "1 to 64 letters, digits, '.', '_' or '-'");
    }
    if (!seen.insert(layer.name).second) fail_at(layer, "an earlier layer has this name");
  }
}

void check_layer_count(const Architecture& architecture) {
  if (architecture.layers.empty()) refuse("a network without layers", "the last one is a linear");
  if (architecture.layers.size() > kMostLayers) {
    refuse(fmt::format("a network of {} layers", architecture.layers.size()),
           fmt::format("at most {}", kMostLayers));
  }
}

void check_ends(const Architecture& architecture) {
  std::vector<bool> feeds(architecture.layers.size(), false);
  for (const Layer& layer : architecture.layers) {
    for (const LayerId input : layer.inputs) {
      if (input != kImage) feeds[static_cast<std::size_t>(input.index)] = true;
    }
  }
  for (std::size_t i = 0; i + 1 < feeds.size(); ++i) {
    if (!feeds[i]) fail_at(architecture.layers[i], "nothing takes its output", "remove it");
  }
  const Layer& last = architecture.layers.back();
  if (!std::holds_alternative<Linear>(last.kind)) {
    fail_at(last, "the last layer is not a linear", "end with one output per class");
  }
}

void check_parameter_count(const Architecture& architecture) {
  int64_t count = 0;
  for (const Parameter& parameter : parameters_of(architecture)) {
    count += parameter.values();
    if (count > kMostParameters) {
      fail_at(architecture.layers[static_cast<std::size_t>(parameter.layer.index)],
              fmt::format("up to here more than {} parameters", kMostParameters),
              "fewer channels, or a smaller input for the first linear layer");
    }
  }
}

std::string shape_words(const std::vector<int64_t>& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

void check_shape(const std::string& name, const Tensor& tensor, const Parameter& parameter) {
  if (tensor.shape != parameter.shape) {
    refuse(fmt::format("tensor '{}' has the shape {}; the network needs {}", name,
                       shape_words(tensor.shape), shape_words(parameter.shape)),
           "weights of another network?");
  }
  if (static_cast<int64_t>(tensor.values.size()) != parameter.values()) {
    refuse(fmt::format("tensor '{}' has {} values; its shape needs {}", name, tensor.values.size(),
                       parameter.values()));
  }
}

[[noreturn]] void fail_unknown(const std::string& name) {
  refuse("tensor '" + shown_name(name) + "' is not a parameter of the network",
         "weights of another network?");
}

void check_weights(const std::vector<Parameter>& parameters, const Tensors& weights) {
  for (const Parameter& parameter : parameters) {
    const auto found = weights.find(parameter.name);
    if (found == weights.end()) {
      refuse("tensor '" + parameter.name + "' is missing", "weights of another network?");
    }
    check_shape(parameter.name, found->second, parameter);
  }
  if (weights.size() == parameters.size()) return;
  std::set<std::string_view> known;
  for (const Parameter& parameter : parameters) known.insert(parameter.name);
  for (const auto& [name, tensor] : weights) {
    if (!known.contains(name)) fail_unknown(name);
  }
}

void check_momentum(const std::vector<Parameter>& parameters, const Tensors& momentum) {
  std::size_t known = 0;
  for (const Parameter& parameter : parameters) {
    const auto found = momentum.find(parameter.name);
    if (found == momentum.end()) continue;
    if (parameter.kind != ParameterKind::Trained) {
      refuse("momentum for '" + parameter.name + "', which is not trained");
    }
    check_shape(parameter.name, found->second, parameter);
    ++known;
  }
  if (known < momentum.size()) refuse("momentum for a tensor that the network does not have");
}

}  // namespace

bool is_safe_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, is_safe);
}

void validate(const Architecture& architecture) {
  check_image(architecture.input);
  check_layer_count(architecture);
  check_names(architecture);
  const Shapes shapes(architecture);
  check_ends(architecture);
  check_parameter_count(architecture);
}

void validate(const Network& network) {
  validate(network.architecture);
  const auto parameters = parameters_of(network.architecture);
  check_weights(parameters, network.weights);
  check_momentum(parameters, network.momentum);
}

}  // namespace espalier
