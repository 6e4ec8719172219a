// SPDX-License-Identifier: Apache-2.0
#include "networks/network_builder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "networks/architecture_limits.h"
#include "networks/validation.h"

namespace espalier {

void check(const NetworkOptions& options) {
  if (!(options.width >= 0.01 && options.width <= 4)) {
    throw Error(ErrorCode::BadInput, fmt::format("a network of width {}", options.width),
                "the width is a factor from 0.01 to 4");
  }
  if (options.classes < 2 || options.classes > kMostChannels) {
    throw Error(ErrorCode::BadInput, fmt::format("a network for {} classes", options.classes),
                fmt::format("from 2 to {}", kMostChannels));
  }
}

int64_t scaled_channels(int64_t channels, double width) {
  const double wanted = static_cast<double>(channels) * width;
  const int64_t nearest = 8 * static_cast<int64_t>(std::floor(wanted / 8 + 0.5));
  const int64_t enough = static_cast<double>(nearest) < 0.9 * wanted ? nearest + 8 : nearest;
  return std::max<int64_t>(8, enough);
}

NetworkBuilder::NetworkBuilder(std::string name, const ImageShape& input)
    : architecture_{std::move(name), input, {}}, shapes_{shape_of(input)} {}

LayerId NetworkBuilder::add(const std::string& name, LayerKind kind) {
  return add(name, std::move(kind), {newest()});
}

LayerId NetworkBuilder::add(const std::string& name, LayerKind kind, std::vector<LayerId> inputs) {
  std::vector<FeatureShape> input_shapes;
  for (const LayerId input : inputs) {
    input_shapes.push_back(shapes_.at(static_cast<std::size_t>(input.index + 1)));
  }
  architecture_.layers.push_back({name, std::move(kind), std::move(inputs)});
  shapes_.push_back(output_shape(architecture_.layers.back(), input_shapes));
  return newest();
}

LayerId NetworkBuilder::convolution_norm(const std::string& name, const Convolution& convolution) {
  return convolution_norm(name, convolution, newest());
}

LayerId NetworkBuilder::convolution_norm(const std::string& name, const Convolution& convolution,
                                         LayerId input) {
  add(name, convolution, {input});
  return add(name + "_norm", BatchNorm{});
}

void NetworkBuilder::halve(const std::string& name) {
  if (std::min(shape().height, shape().width) >= 2) add(name, MaxPool{});
}

Architecture NetworkBuilder::build() && {
  validate(architecture_);
  return std::move(architecture_);
}

}  // namespace espalier
