// SPDX-License-Identifier: Apache-2.0
#include "networks/resnet.h"

namespace espalier {
namespace {

constexpr int64_t kStageChannels[] = {64, 128, 256, 512};
constexpr int kBlocksPerStage = 2;

struct ResidualBlock {
  std::string name;
  int64_t channels = 0;
  int64_t stride = 1;
};

// The input itself, or its projection where the block changes the shape.
LayerId add_shortcut(NetworkBuilder& net, const ResidualBlock& block, LayerId input,
                     bool same_shape) {
  if (same_shape) return input;
  const Convolution projection{
      .out = block.channels, .kernel = 1, .stride = block.stride, .padding = 0};
  return net.convolution_norm(block.name + "_shortcut", projection, input);
}

void add_residual_block(NetworkBuilder& net, const ResidualBlock& block) {
  const LayerId input = net.newest();
  const bool same_shape = block.stride == 1 && net.shape().channels == block.channels;
  net.convolution_norm(block.name + "_conv1", {.out = block.channels, .stride = block.stride});
  net.add(block.name + "_relu1", Relu{});
  const LayerId main = net.convolution_norm(block.name + "_conv2", {.out = block.channels});
  const LayerId shortcut = add_shortcut(net, block, input, same_shape);
  net.add(block.name + "_add", Add{}, {main, shortcut});
  net.add(block.name + "_relu2", Relu{});
}

void add_stage(NetworkBuilder& net, int stage, int64_t channels) {
  for (int i = 0; i < kBlocksPerStage; ++i) {
    const std::string name = "stage" + std::to_string(stage) + "_block" + std::to_string(i + 1);
    add_residual_block(net, {name, channels, stage > 1 && i == 0 ? 2 : 1});
  }
}

}  // namespace

Architecture resnet18(const NetworkOptions& options) {
  NetworkBuilder net("resnet18", options.input);
  net.convolution_norm("stem", {.out = scaled_channels(64, options.width)});
  net.add("stem_relu", Relu{});
  int stage = 0;
  for (const int64_t channels : kStageChannels) {
    add_stage(net, ++stage, scaled_channels(channels, options.width));
  }
  net.add("average", GlobalAverage{});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = options.classes});
  return std::move(net).build();
}

}  // namespace espalier
