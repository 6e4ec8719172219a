// SPDX-License-Identifier: Apache-2.0
#include "networks/slicing.h"

#include <algorithm>
#include <functional>
#include <span>

#include "core/error.h"
#include "networks/channel_budget.h"
#include "networks/parameter_axes.h"

namespace espalier {
namespace {

int64_t product(std::span<const int64_t> sizes) {
  int64_t result = 1;
  for (const int64_t size : sizes) result *= size;
  return result;
}

// The kept blocks of one dimension, in order.
Tensor kept_blocks(const Tensor& tensor, const ChannelAxis& axis,
                   const std::vector<int64_t>& channels) {
  const std::span<const int64_t> shape(tensor.shape);
  const int64_t outer = product(shape.first(axis.dimension));
  const int64_t inner = product(shape.subspan(axis.dimension + 1));
  const int64_t row = shape[axis.dimension] * inner;
  const int64_t block = axis.block * inner;
  Tensor result{tensor.shape, {}};
  result.shape[axis.dimension] = axis.block * static_cast<int64_t>(channels.size());
  result.values.resize(static_cast<std::size_t>(product(result.shape)));
  float* to = result.values.data();
  for (int64_t o = 0; o < outer; ++o) {
    const float* from = tensor.values.data() + o * row;
    for (const int64_t channel : channels) to = std::copy_n(from + channel * block, block, to);
  }
  return result;
}

Tensor sliced(Tensor tensor, const std::vector<ChannelAxis>& axes, const KeptChannels& kept) {
  for (const ChannelAxis& axis : axes) {
    const std::vector<int64_t>& channels = kept[axis.group];
    const bool keeps_all =
        tensor.shape[axis.dimension] == axis.block * static_cast<int64_t>(channels.size());
    if (!keeps_all) tensor = kept_blocks(tensor, axis, channels);
  }
  return tensor;
}

bool is_ascending_below(const std::vector<int64_t>& channels, int64_t end) {
  const auto disorder = std::ranges::adjacent_find(channels, std::greater_equal<>{});
  return disorder == channels.end() && channels.front() >= 0 && channels.back() < end;
}

std::vector<int64_t> counts_of(const KeptChannels& kept, const ChannelGroups& groups) {
  ESPALIER_CHECK(kept.size() == groups.size());
  std::vector<int64_t> counts;
  for (std::size_t group = 0; group < kept.size(); ++group) {
    const auto count = static_cast<int64_t>(kept[group].size());
    ESPALIER_CHECK(count > 0 && is_ascending_below(kept[group], groups[group].channels));
    ESPALIER_CHECK(groups[group].is_prunable || count == groups[group].channels);
    counts.push_back(count);
  }
  return counts;
}

}  // namespace

Network slice(const Network& network, const KeptChannels& kept) {
  const ChannelGroups groups(network.architecture);
  Network smaller{with_channels(network.architecture, counts_of(kept, groups)), {}, {}};
  for (const auto& [parameter, axes] : parameter_axes(network.architecture, groups)) {
    smaller.weights[parameter.name] = sliced(network.weights.at(parameter.name), axes, kept);
    const auto momentum = network.momentum.find(parameter.name);
    if (momentum == network.momentum.end()) continue;
    smaller.momentum[parameter.name] = sliced(momentum->second, axes, kept);
  }
  return smaller;
}

}  // namespace espalier
