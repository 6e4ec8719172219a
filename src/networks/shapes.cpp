// SPDX-License-Identifier: Apache-2.0
#include "networks/shapes.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "core/error.h"
#include "networks/architecture_limits.h"
#include "networks/layer_fault.h"

namespace espalier {
namespace {

std::string words(const FeatureShape& shape) {
  if (shape.is_flat) return fmt::format("{} values", shape.channels);
  return fmt::format("{}×{}×{}", shape.channels, shape.height, shape.width);
}

// How one kind of layer changes the shape.
class ShapeRule {
 public:
  ShapeRule(const Layer& layer, const std::vector<FeatureShape>& inputs)
      : layer_(layer), inputs_(inputs), in_(inputs.front()) {}

  FeatureShape operator()(const Convolution& convolution) const {
    need_maps();
    need_window(convolution.kernel, convolution.stride);
    need_padding(convolution);
    const int64_t out = convolution.depthwise ? in_.channels : convolution.out;
    need_between("channels", out, 1, kMostChannels);
    return windowed(out, convolution.kernel, convolution.stride, convolution.padding);
  }
  FeatureShape operator()(const MaxPool& pool) const {
    need_maps();
    need_window(pool.kernel, pool.stride);
    return windowed(in_.channels, pool.kernel, pool.stride, 0);
  }
  FeatureShape operator()(const Linear& linear) const {
    if (!in_.is_flat)
      fail("takes a flat input, not " + words(in_), "put a flatten layer before it");
    need_between("outputs", linear.out, 1, kMostChannels);
    return {.channels = linear.out, .is_flat = true};
  }
  FeatureShape operator()(const Add&) const {
    need_maps();
    if (inputs_[0] != inputs_[1]) {
      fail(fmt::format("adds {} to {}", words(inputs_[0]), words(inputs_[1])),
           "both inputs of an add have the same shape");
    }
    return in_;
  }
  FeatureShape operator()(const Relu& relu) const {
    if (!(relu.ceiling >= 0 && relu.ceiling < 1e30)) fail("has a ceiling below 0 or without end");
    return in_;
  }
  FeatureShape operator()(const Dropout& dropout) const {
    if (!(dropout.probability >= 0 && dropout.probability < 1)) {
      fail(fmt::format("drops with probability {}", dropout.probability), "it is in [0, 1)");
    }
    return in_;
  }
  FeatureShape operator()(const BatchNorm&) const {
    need_maps();
    return in_;
  }
  FeatureShape operator()(const GlobalAverage&) const {
    need_maps();
    return {.channels = in_.channels};
  }
  FeatureShape operator()(const Flatten&) const {
    need_maps();
    return {.channels = in_.values(), .is_flat = true};
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    fail_at(layer_, what, hint);
  }
  void need_between(const char* what, int64_t value, int64_t least, int64_t most) const {
    if (value < least || value > most) {
      fail(fmt::format("has {} {}", value, what), fmt::format("from {} to {}", least, most));
    }
  }
  void need_maps() const {
    if (in_.is_flat)
      fail("takes feature maps, not " + words(in_), "put it before the flatten layer");
  }
  void need_window(int64_t kernel, int64_t stride) const {
    need_between("as kernel", kernel, 1, kLargestKernel);
    need_between("as stride", stride, 1, kLargestKernel);
  }
  // A window must not see padding alone.
  void need_padding(const Convolution& convolution) const {
    need_between("as padding", convolution.padding, 0, convolution.kernel - 1);
  }
  FeatureShape windowed(int64_t channels, int64_t kernel, int64_t stride, int64_t padding) const {
    const int64_t rows = in_.height + 2 * padding - kernel;
    const int64_t columns = in_.width + 2 * padding - kernel;
    if (rows < 0 || columns < 0) {
      fail(fmt::format("has a {0}×{0} window, larger than its input of {1}", kernel, words(in_)),
           "a larger image or fewer strides and pools before it");
    }
    return {.channels = channels, .height = rows / stride + 1, .width = columns / stride + 1};
  }

  const Layer& layer_;
  const std::vector<FeatureShape>& inputs_;
  const FeatureShape& in_;
};

void check_size(const Layer& layer, const FeatureShape& shape) {
  const int64_t side = std::max(shape.height, shape.width);
  if (side > kLargestSide || shape.values() > kMostFeatures) {
    fail_at(layer, fmt::format("gives {}, which is too large", words(shape)),
            fmt::format("sides up to {}, up to {} values", kLargestSide, kMostFeatures));
  }
}

void check_inputs(const Layer& layer, int index) {
  const std::size_t needed = std::holds_alternative<Add>(layer.kind) ? 2 : 1;
  if (layer.inputs.size() != needed) {
    fail_at(layer, fmt::format("has {} inputs instead of {}", layer.inputs.size(), needed));
  }
  for (const LayerId input : layer.inputs) {
    if (input.index < kImage.index || input.index >= index) {
      fail_at(layer, fmt::format("takes layer {} as its input", input.index),
              "a layer takes the image (-1) or layers before it");
    }
  }
}

}  // namespace

FeatureShape shape_of(const ImageShape& image) {
  return {.channels = image.channels, .height = image.height, .width = image.width};
}

FeatureShape output_shape(const Layer& layer, const std::vector<FeatureShape>& inputs) {
  const FeatureShape shape = std::visit(ShapeRule(layer, inputs), layer.kind);
  check_size(layer, shape);
  return shape;
}

Shapes::Shapes(const Architecture& architecture) : shapes_{shape_of(architecture.input)} {
  shapes_.reserve(architecture.layers.size() + 1);
  for (const Layer& layer : architecture.layers) {
    check_inputs(layer, static_cast<int>(shapes_.size()) - 1);
    std::vector<FeatureShape> inputs;
    for (const LayerId input : layer.inputs) inputs.push_back(after(input));
    shapes_.push_back(output_shape(layer, inputs));
  }
}

const FeatureShape& Shapes::after(LayerId layer) const {
  return shapes_.at(static_cast<std::size_t>(layer.index + 1));
}

}  // namespace espalier
