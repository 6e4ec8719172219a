// SPDX-License-Identifier: Apache-2.0
// A network as data: a closed list of known layers, so that it can be pruned, counted, saved,
// shipped and rebuilt without any code. Channels in are never written down: they follow from the
// layer before.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace espalier {

// Square kernels only. `depthwise`: one filter per channel, as many channels out as in.
struct Convolution {
  int64_t out = 0;  // ignored where `depthwise`
  int64_t kernel = 3;
  int64_t stride = 1;
  int64_t padding = 1;
  bool depthwise = false;
  bool bias = false;
  friend bool operator==(const Convolution&, const Convolution&) = default;
};

struct BatchNorm {
  friend bool operator==(const BatchNorm&, const BatchNorm&) = default;
};

// max(0, x), and at most `ceiling` where that is positive (6 for MobileNetV2).
struct Relu {
  double ceiling = 0;
  friend bool operator==(const Relu&, const Relu&) = default;
};

struct MaxPool {
  int64_t kernel = 2;
  int64_t stride = 2;
  friend bool operator==(const MaxPool&, const MaxPool&) = default;
};

// The mean over height and width; one pixel is left.
struct GlobalAverage {
  friend bool operator==(const GlobalAverage&, const GlobalAverage&) = default;
};

struct Flatten {
  friend bool operator==(const Flatten&, const Flatten&) = default;
};

struct Dropout {
  double probability = 0.5;
  friend bool operator==(const Dropout&, const Dropout&) = default;
};

struct Linear {
  int64_t out = 0;
  bool bias = true;
  friend bool operator==(const Linear&, const Linear&) = default;
};

// The sum of its two inputs, which have the same shape.
struct Add {
  friend bool operator==(const Add&, const Add&) = default;
};

using LayerKind = std::variant<Convolution, BatchNorm, Relu, MaxPool, GlobalAverage, Flatten,
                               Dropout, Linear, Add>;

// Where a layer's input comes from: an earlier layer, or the image.
struct LayerId {
  int index = -1;  // -1: the image
  friend auto operator<=>(const LayerId&, const LayerId&) = default;
};
constexpr LayerId kImage{-1};

struct Layer {
  std::string name;  // unique; its parameters are NAME.weight, NAME.bias, …
  LayerKind kind;
  std::vector<LayerId> inputs;  // one, or two for Add; all earlier than the layer itself
  friend bool operator==(const Layer&, const Layer&) = default;
};

struct ImageShape {
  int64_t channels = 3;
  int64_t height = 32;
  int64_t width = 32;
  friend bool operator==(const ImageShape&, const ImageShape&) = default;
};

// The last layer gives one logit per class.
struct Architecture {
  std::string name;  // "vgg11"
  ImageShape input;
  std::vector<Layer> layers;
  friend bool operator==(const Architecture&, const Architecture&) = default;
};

}  // namespace espalier
