// SPDX-License-Identifier: Apache-2.0
#include "support/networks/forward.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "networks/shapes.h"

namespace espalier::support {
namespace {

constexpr double kNormEpsilon = 1e-5;

using Values = std::vector<float>;

std::size_t at(int64_t index) { return static_cast<std::size_t>(index); }

// One layer applied to the values of its inputs.
class LayerPass {
 public:
  LayerPass(const Network& network, const Layer& layer, const FeatureShape& in,
            const FeatureShape& out)
      : network_(network), layer_(layer), in_(in), out_(out) {}

  Values operator()(const Convolution& convolution) const {
    const Values& weight = parameter("weight");
    return per_output([&](int64_t channel, int64_t row, int64_t column) {
      double sum = convolution.bias ? parameter("bias")[at(channel)] : 0;
      const int64_t seen = convolution.depthwise ? 1 : in_.channels;
      for (int64_t c = 0; c < seen; ++c) {
        const int64_t filter = (channel * seen + c) * convolution.kernel * convolution.kernel;
        const int64_t source = convolution.depthwise ? channel : c;
        sum += window_sum(convolution, weight.data() + filter, source,
                          {row * convolution.stride, column * convolution.stride});
      }
      return sum;
    });
  }
  Values operator()(const BatchNorm&) const {
    return per_output([&](int64_t channel, int64_t row, int64_t column) {
      const double centred = input(channel, row, column) - parameter("running_mean")[at(channel)];
      const double spread = std::sqrt(parameter("running_var")[at(channel)] + kNormEpsilon);
      return centred / spread * parameter("weight")[at(channel)] + parameter("bias")[at(channel)];
    });
  }
  Values operator()(const Relu& relu) const {
    Values result = *first;
    for (float& value : result) {
      value = std::max(value, 0.0F);
      if (relu.ceiling > 0) value = std::min(value, static_cast<float>(relu.ceiling));
    }
    return result;
  }
  Values operator()(const MaxPool& pool) const {
    return per_output([&](int64_t channel, int64_t row, int64_t column) {
      double largest = input(channel, row * pool.stride, column * pool.stride);
      for (int64_t i = 0; i < pool.kernel * pool.kernel; ++i) {
        largest = std::max(largest, input(channel, row * pool.stride + i / pool.kernel,
                                          column * pool.stride + i % pool.kernel));
      }
      return largest;
    });
  }
  Values operator()(const GlobalAverage&) const {
    return per_output([&](int64_t channel, int64_t, int64_t) {
      double sum = 0;
      for (int64_t i = 0; i < in_.pixels(); ++i) sum += (*first)[at(channel * in_.pixels() + i)];
      return sum / static_cast<double>(in_.pixels());
    });
  }
  Values operator()(const Linear& linear) const {
    return per_output([&](int64_t channel, int64_t, int64_t) {
      double sum = linear.bias ? parameter("bias")[at(channel)] : 0;
      for (int64_t i = 0; i < in_.channels; ++i) {
        sum += static_cast<double>((*first)[at(i)]) *
               parameter("weight")[at(channel * in_.channels + i)];
      }
      return sum;
    });
  }
  Values operator()(const Add&) const {
    Values result = *first;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += (*second)[i];
    return result;
  }
  Values operator()(const Flatten&) const { return *first; }
  Values operator()(const Dropout&) const { return *first; }

  const Values* first = nullptr;
  const Values* second = nullptr;

 private:
  struct Corner {
    int64_t row;
    int64_t column;
  };

  template <class Value>
  Values per_output(const Value& value) const {
    Values result;
    for (int64_t channel = 0; channel < out_.channels; ++channel) {
      for (int64_t i = 0; i < out_.pixels(); ++i) {
        result.push_back(static_cast<float>(value(channel, i / out_.width, i % out_.width)));
      }
    }
    return result;
  }
  double input(int64_t channel, int64_t row, int64_t column) const {
    return (*first)[at((channel * in_.height + row) * in_.width + column)];
  }
  double padded_input(int64_t channel, int64_t row, int64_t column) const {
    const bool inside = row >= 0 && row < in_.height && column >= 0 && column < in_.width;
    return inside ? input(channel, row, column) : 0.0;
  }
  double window_sum(const Convolution& convolution, const float* filter, int64_t channel,
                    Corner corner) const {
    double sum = 0;
    for (int64_t i = 0; i < convolution.kernel * convolution.kernel; ++i) {
      const int64_t row = corner.row + i / convolution.kernel - convolution.padding;
      const int64_t column = corner.column + i % convolution.kernel - convolution.padding;
      sum += static_cast<double>(filter[i]) * padded_input(channel, row, column);
    }
    return sum;
  }
  const Values& parameter(const char* what) const {
    return network_.weights.at(layer_.name + "." + what).values;
  }

  const Network& network_;
  const Layer& layer_;
  const FeatureShape& in_;
  const FeatureShape& out_;
};

}  // namespace

std::vector<float> forward(const Network& network, const std::vector<float>& image) {
  const Shapes shapes(network.architecture);
  std::vector<Values> values{image};
  for (const Layer& layer : network.architecture.layers) {
    const LayerId id{static_cast<int>(values.size()) - 1};
    LayerPass pass(network, layer, shapes.before(layer), shapes.after(id));
    pass.first = &values[at(layer.inputs.front().index + 1)];
    pass.second = &values[at(layer.inputs.back().index + 1)];
    values.push_back(std::visit(pass, layer.kind));
  }
  return values.back();
}

}  // namespace espalier::support
