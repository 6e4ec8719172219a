// SPDX-License-Identifier: Apache-2.0
#include "networks/vgg.h"

namespace espalier {
namespace {

constexpr int64_t kHalve = 0;
constexpr int64_t kPlan[] = {64,  kHalve, 128,    kHalve, 256, 256,   kHalve,
                             512, 512,    kHalve, 512,    512, kHalve};

void add_convolution(NetworkBuilder& net, const std::string& number, int64_t channels) {
  net.convolution_norm("conv" + number, {.out = channels});
  net.add("relu" + number, Relu{});
}

}  // namespace

Architecture vgg11(const NetworkOptions& options) {
  NetworkBuilder net("vgg11", options.input);
  int convolutions = 0;
  int pools = 0;
  for (const int64_t step : kPlan) {
    if (step == kHalve) {
      net.halve("pool" + std::to_string(++pools));
    } else {
      add_convolution(net, std::to_string(++convolutions), scaled_channels(step, options.width));
    }
  }
  if (net.shape().pixels() > 1) net.add("average", GlobalAverage{});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = options.classes});
  return std::move(net).build();
}

}  // namespace espalier
