// SPDX-License-Identifier: Apache-2.0
#include "networks/alexnet.h"

namespace espalier {
namespace {

class AlexNet {
 public:
  explicit AlexNet(const NetworkOptions& options)
      : options_(options), net_("alexnet", options.input) {}

  Architecture build() && {
    convolution("1", 64, 2);
    net_.halve("pool1");
    convolution("2", 192);
    net_.halve("pool2");
    convolution("3", 384);
    convolution("4", 256);
    convolution("5", 256);
    net_.halve("pool3");
    net_.add("flatten", Flatten{});
    hidden("1");
    hidden("2");
    net_.add("classifier", Linear{.out = options_.classes});
    return std::move(net_).build();
  }

 private:
  void convolution(const std::string& number, int64_t channels, int64_t stride = 1) {
    const int64_t out = scaled_channels(channels, options_.width);
    net_.add("conv" + number, Convolution{.out = out, .stride = stride, .bias = true});
    net_.add("relu" + number, Relu{});
  }
  void hidden(const std::string& number) {
    net_.add("dropout" + number, Dropout{});
    net_.add("hidden" + number, Linear{.out = scaled_channels(4096, options_.width)});
    net_.add("hidden" + number + "_relu", Relu{});
  }

  const NetworkOptions& options_;
  NetworkBuilder net_;
};

}  // namespace

Architecture alexnet(const NetworkOptions& options) { return AlexNet(options).build(); }

}  // namespace espalier
