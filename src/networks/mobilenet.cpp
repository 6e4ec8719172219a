// SPDX-License-Identifier: Apache-2.0
#include "networks/mobilenet.h"

namespace espalier {
namespace {

constexpr Relu kRelu6{.ceiling = 6};

struct Stage {
  int64_t expansion;
  int64_t channels;
  int blocks;
  int64_t stride;  // of its first block
};
constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 1},  {6, 32, 3, 2}, {6, 64, 4, 2},
                             {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

Convolution pointwise(int64_t channels) { return {.out = channels, .kernel = 1, .padding = 0}; }

struct InvertedBlock {
  std::string name;
  int64_t expansion = 6;
  int64_t channels = 0;
  int64_t stride = 1;
};

// Widen, filter each channel, narrow without a non-linearity; add the input where shapes allow.
void add_inverted_block(NetworkBuilder& net, const InvertedBlock& block) {
  const LayerId input = net.newest();
  const int64_t channels_in = net.shape().channels;
  if (block.expansion > 1) {
    net.convolution_norm(block.name + "_expand", pointwise(channels_in * block.expansion));
    net.add(block.name + "_expand_relu", kRelu6);
  }
  net.convolution_norm(block.name + "_filter", {.stride = block.stride, .depthwise = true});
  net.add(block.name + "_filter_relu", kRelu6);
  const LayerId output = net.convolution_norm(block.name + "_project", pointwise(block.channels));
  if (block.stride == 1 && channels_in == block.channels) {
    net.add(block.name + "_add", Add{}, {input, output});
  }
}

void add_stage(NetworkBuilder& net, const Stage& stage, const std::string& name, double width) {
  for (int i = 0; i < stage.blocks; ++i) {
    add_inverted_block(net, {.name = name + "_block" + std::to_string(i + 1),
                             .expansion = stage.expansion,
                             .channels = scaled_channels(stage.channels, width),
                             .stride = i == 0 ? stage.stride : 1});
  }
}

void add_head(NetworkBuilder& net, const NetworkOptions& options) {
  net.convolution_norm("head", pointwise(scaled_channels(1280, options.width)));
  net.add("head_relu", kRelu6);
  net.add("average", GlobalAverage{});
  net.add("flatten", Flatten{});
  net.add("dropout", Dropout{.probability = 0.2});
  net.add("classifier", Linear{.out = options.classes});
}

}  // namespace

Architecture mobilenetv2(const NetworkOptions& options) {
  NetworkBuilder net("mobilenetv2", options.input);
  net.convolution_norm("stem", {.out = scaled_channels(32, options.width)});
  net.add("stem_relu", kRelu6);
  int number = 0;
  for (const Stage& stage : kStages) {
    add_stage(net, stage, "stage" + std::to_string(++number), options.width);
  }
  add_head(net, options);
  return std::move(net).build();
}

}  // namespace espalier
