// SPDX-License-Identifier: Apache-2.0
#include "networks/parameter_axes.h"

namespace espalier {
namespace {

// Weights of convolutions and linear layers; those of depth-wise ones see one channel each.
bool takes_channels(const Layer& layer, const Parameter& parameter) {
  const auto* convolution = std::get_if<Convolution>(&layer.kind);
  const bool is_depthwise = convolution != nullptr && convolution->depthwise;
  return parameter.shape.size() > 1 && !is_depthwise;
}

std::vector<ChannelAxis> axes_of(const Parameter& parameter, const Layer& layer,
                                 const ChannelGroups& groups) {
  std::vector<ChannelAxis> axes{{0, groups.group_of(parameter.layer), 1}};
  if (takes_channels(layer, parameter)) {
    const LayerId input = layer.inputs.front();
    axes.push_back({1, groups.group_of(input), groups.block_of(input)});
  }
  return axes;
}

}  // namespace

std::vector<ParameterAxes> parameter_axes(const Architecture& architecture,
                                          const ChannelGroups& groups) {
  std::vector<ParameterAxes> all;
  for (Parameter& parameter : parameters_of(architecture)) {
    const Layer& layer = architecture.layers[static_cast<std::size_t>(parameter.layer.index)];
    std::vector<ChannelAxis> axes = axes_of(parameter, layer, groups);
    all.push_back({std::move(parameter), std::move(axes)});
  }
  return all;
}

}  // namespace espalier
