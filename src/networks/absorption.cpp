// SPDX-License-Identifier: Apache-2.0
#include "networks/absorption.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "networks/channel_groups.h"
#include "networks/cholesky.h"
#include "networks/parameter_axes.h"

namespace espalier {
namespace {

// Added to the variances, as a share of their mean: channels that are almost the same, or silent,
// must not take over large weights of opposite signs.
constexpr double kRidge = 1e-3;
constexpr double kLeastVariance = 1e-12;

using Channels = std::vector<int64_t>;

Channels channels_gone(const Channels& kept, int64_t count) {
  Channels gone;
  for (int64_t channel = 0; channel < count; ++channel) {
    if (!std::ranges::binary_search(kept, channel)) gone.push_back(channel);
  }
  return gone;
}

// How those that go are predicted from those that stay.
class Prediction {
 public:
  Prediction(const ChannelMoments& moments, const Channels& kept)
      : moments_(moments), kept_(kept), factors_(covariances(), kept.size()) {}

  // B_rk for each k.
  std::vector<double> shares(int64_t gone) const {
    std::vector<double> shares;
    for (const int64_t channel : kept_) shares.push_back(covariance(channel, gone));
    factors_.solve(shares);
    return shares;
  }
  // What x_r is where all x_k are 0.
  double constant(int64_t gone, const std::vector<double>& shares) const {
    double constant = mean(gone);
    for (std::size_t k = 0; k < kept_.size(); ++k) constant -= shares[k] * mean(kept_[k]);
    return constant;
  }

 private:
  double mean(int64_t channel) const { return moments_.mean[static_cast<std::size_t>(channel)]; }
  double covariance(int64_t a, int64_t b) const {
    return moments_.covariance[static_cast<std::size_t>(a) * moments_.mean.size() +
                               static_cast<std::size_t>(b)];
  }
  std::vector<double> covariances() const {
    std::vector<double> matrix;
    double trace = 0;
    for (const int64_t a : kept_) {
      trace += covariance(a, a);
      for (const int64_t b : kept_) matrix.push_back(covariance(a, b));
    }
    const auto size = static_cast<double>(kept_.size());
    const double ridge = std::max(kRidge * trace / size, kLeastVariance);
    for (std::size_t i = 0; i < kept_.size(); ++i) matrix[i * kept_.size() + i] += ridge;
    return matrix;
  }

  const ChannelMoments& moments_;
  const Channels& kept_;
  Cholesky factors_;
};

// The weights of a layer: outputs × input channels × the rest, which is a kernel's places or those
// of a flattened channel.
struct WeightView {
  std::vector<float>& values;
  std::size_t outputs = 0;
  std::size_t inputs = 0;
  std::size_t places = 0;

  float* at(std::size_t output, int64_t input) const {
    return values.data() + (output * inputs + static_cast<std::size_t>(input)) * places;
  }
};

void hand_over(const WeightView& weights, int64_t from, const Channels& kept,
               const std::vector<double>& shares) {
  for (std::size_t output = 0; output < weights.outputs; ++output) {
    const float* gone = weights.at(output, from);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      float* to = weights.at(output, kept[k]);
      const auto share = static_cast<float>(shares[k]);
      for (std::size_t place = 0; place < weights.places; ++place) to[place] += share * gone[place];
    }
  }
}

void add_constant(std::vector<float>& bias, const WeightView& weights, int64_t from,
                  double constant) {
  for (std::size_t output = 0; output < weights.outputs; ++output) {
    const float* gone = weights.at(output, from);
    double sum = 0;
    for (std::size_t place = 0; place < weights.places; ++place)
      sum += static_cast<double>(gone[place]);
    bias[output] += static_cast<float>(constant * sum);
  }
}

WeightView view_of(Tensor& weight, std::size_t inputs) {
  const auto outputs = static_cast<std::size_t>(weight.shape[0]);
  return {weight.values, outputs, inputs, weight.values.size() / (outputs * inputs)};
}

void absorb(Tensors& tensors, const std::string& layer, const Channels& kept,
            const ChannelMoments& moments) {
  const std::size_t inputs = moments.mean.size();
  ESPALIER_CHECK(moments.covariance.size() == inputs * inputs);
  const WeightView weights = view_of(tensors.at(layer + ".weight"), inputs);
  const auto bias = tensors.find(layer + ".bias");
  const Prediction prediction(moments, kept);
  for (const int64_t gone : channels_gone(kept, static_cast<int64_t>(inputs))) {
    const std::vector<double> shares = prediction.shares(gone);
    hand_over(weights, gone, kept, shares);
    if (bias == tensors.end()) continue;
    add_constant(bias->second.values, weights, gone, prediction.constant(gone, shares));
  }
}

}  // namespace

Network absorbed(Network network, const KeptChannels& kept, const InputMoments& moments) {
  const ChannelGroups groups(network.architecture);
  for (const auto& [parameter, axes] : parameter_axes(network.architecture, groups)) {
    const std::string& layer =
        network.architecture.layers[static_cast<std::size_t>(parameter.layer.index)].name;
    const auto known = moments.find(layer);
    for (const ChannelAxis& axis : axes) {
      const auto count = static_cast<std::size_t>(groups[axis.group].channels);
      if (axis.dimension != 1 || known == moments.end() || kept[axis.group].size() == count)
        continue;
      ESPALIER_CHECK(known->second.mean.size() == count);
      absorb(network.weights, layer, kept[axis.group], known->second);
    }
  }
  return network;
}

}  // namespace espalier
