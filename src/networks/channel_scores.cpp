// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_scores.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "networks/parameter_axes.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

ChannelScores zero_scores(const ChannelGroups& groups) {
  ChannelScores scores;
  for (const ChannelGroup& group : groups.all()) {
    scores.emplace_back(group.is_prunable ? static_cast<std::size_t>(group.channels) : 0, 0.0);
  }
  return scores;
}

// How the values of a tensor are laid out around one of its dimensions.
struct Strides {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;
};

Strides strides_around(const std::vector<int64_t>& shape, std::size_t dimension) {
  Strides strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto size = static_cast<std::size_t>(shape[d]);
    if (d < dimension) strides.outer *= size;
    if (d == dimension) strides.length = size;
    if (d > dimension) strides.inner *= size;
  }
  return strides;
}

// Sums `term(position)` over the values of a tensor that belong to each channel.
template <class Term>
std::vector<double> sum_per_channel(const Parameter& parameter, const ChannelAxis& axis,
                                    const Term& term) {
  const Strides strides = strides_around(parameter.shape, axis.dimension);
  const auto block = static_cast<std::size_t>(axis.block);
  std::vector<double> sums(strides.length / block, 0.0);
  std::size_t position = 0;
  for (std::size_t o = 0; o < strides.outer; ++o) {
    for (std::size_t i = 0; i < strides.length; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < strides.inner; ++j) sum += term(position++);
      sums[i / block] += sum;
    }
  }
  return sums;
}

// Calls `visit(parameter, axis)` for each dimension of a trained parameter that can be pruned.
template <class Visit>
void for_each_axis(const Network& network, const ChannelGroups& groups, const Visit& visit) {
  for (const auto& [parameter, axes] : parameter_axes(network.architecture, groups)) {
    if (parameter.kind != ParameterKind::Trained) continue;
    for (const ChannelAxis& axis : axes) {
      if (groups[axis.group].is_prunable) visit(parameter, axis);
    }
  }
}

void add_to(std::vector<double>& totals, const std::vector<double>& terms) {
  ESPALIER_CHECK(totals.size() == terms.size());
  std::transform(totals.begin(), totals.end(), terms.begin(), totals.begin(), std::plus<>{});
}

ChannelScores group_norms(const Network& network, const ChannelGroups& groups) {
  ChannelScores scores = zero_scores(groups);
  for_each_axis(network, groups, [&](const Parameter& parameter, const ChannelAxis& axis) {
    const std::vector<float>& weights = network.weights.at(parameter.name).values;
    add_to(scores[axis.group], sum_per_channel(parameter, axis, [&](std::size_t i) {
             return static_cast<double>(weights[i]) * static_cast<double>(weights[i]);
           }));
  });
  for (std::vector<double>& group : scores) {
    for (double& score : group) score = std::sqrt(score);
  }
  return scores;
}

constexpr const char* kNeedsGradients =
    "the Taylor criterion needs the gradient of each trained parameter";

const std::vector<float>& gradient_of(const Parameter& parameter, const Tensors& gradients) {
  const auto found = gradients.find(parameter.name);
  if (found == gradients.end()) {
    throw Error(ErrorCode::BadInput, "no gradient for '" + parameter.name + "'", kNeedsGradients);
  }
  const auto values = static_cast<int64_t>(found->second.values.size());
  if (found->second.shape != parameter.shape || values != parameter.values()) {
    throw Error(ErrorCode::BadInput, "the gradient for '" + parameter.name + "' has another shape");
  }
  return found->second.values;
}

// What becomes of the loss, to first order, if a channel goes: Σ weight · gradient over a tensor is
// the slope along a factor on the channel there, the same for each tensor in a chain of ReLUs and
// pools, and 0 for filters in front of a batch norm, since scaling them changes nothing.
ChannelScores slopes_along(const Network& network, const ChannelGroups& groups,
                           const Tensors& gradients) {
  ChannelScores slopes = zero_scores(groups);
  for_each_axis(network, groups, [&](const Parameter& parameter, const ChannelAxis& axis) {
    const std::vector<float>& weights = network.weights.at(parameter.name).values;
    const std::vector<float>& gradient = gradient_of(parameter, gradients);
    add_to(slopes[axis.group], sum_per_channel(parameter, axis, [&](std::size_t i) {
             return static_cast<double>(weights[i]) * static_cast<double>(gradient[i]);
           }));
  });
  return slopes;
}

// Sums instead of means: only their order within a group matters.
ChannelScores squared_slopes(const Network& network, const ChannelGroups& groups,
                             const GradientSource& next) {
  std::optional<Tensors> gradients = next ? next() : std::nullopt;
  if (!gradients) throw Error(ErrorCode::BadInput, "no gradients to prune by", kNeedsGradients);
  ChannelScores scores = zero_scores(groups);
  for (; gradients; gradients = next()) {
    ChannelScores slopes = slopes_along(network, groups, *gradients);
    for (std::size_t group = 0; group < slopes.size(); ++group) {
      for (double& slope : slopes[group]) slope *= slope;
      add_to(scores[group], slopes[group]);
    }
  }
  return scores;
}

bool has_norm(const Architecture& architecture, const ChannelGroup& group) {
  return std::ranges::any_of(group.layers, [&](LayerId id) {
    const Layer& layer = architecture.layers[static_cast<std::size_t>(id.index)];
    return std::holds_alternative<BatchNorm>(layer.kind);
  });
}

void need_norms(const Architecture& architecture, const ChannelGroups& groups) {
  for (const ChannelGroup& group : groups.all()) {
    if (!group.is_prunable || has_norm(architecture, group)) continue;
    throw Error(ErrorCode::BadInput,
                fmt::format("layer '{}' of '{}' has no batch norm behind it", group.name,
                            architecture.name),
                "prune this network by group-l2 or taylor");
  }
}

ChannelScores norm_scales(const Network& network, const ChannelGroups& groups) {
  need_norms(network.architecture, groups);
  ChannelScores scores = zero_scores(groups);
  for_each_axis(network, groups, [&](const Parameter& parameter, const ChannelAxis& axis) {
    const auto layer = static_cast<std::size_t>(parameter.layer.index);
    const bool is_norm = std::holds_alternative<BatchNorm>(network.architecture.layers[layer].kind);
    if (!is_norm || !parameter.name.ends_with(".weight")) return;
    const std::vector<float>& scales = network.weights.at(parameter.name).values;
    add_to(scores[axis.group], sum_per_channel(parameter, axis, [&](std::size_t i) {
             return std::abs(static_cast<double>(scales[i]));
           }));
  });
  return scores;
}

ChannelScores random_scores(const ChannelGroups& groups, uint64_t seed) {
  ChannelScores scores = zero_scores(groups);
  const CounterRng rng(seed);
  for (std::size_t group = 0; group < scores.size(); ++group) {
    for (std::size_t channel = 0; channel < scores[group].size(); ++channel) {
      scores[group][channel] = rng.uniform({.stream = group, .index = channel});
    }
  }
  return scores;
}

}  // namespace

ChannelScores score_channels(const Network& network, const ChannelGroups& groups,
                             const ScoreOptions& options) {
  switch (options.criterion) {
    case PruningCriterion::GroupL2:
      return group_norms(network, groups);
    case PruningCriterion::BatchNormScale:
      return norm_scales(network, groups);
    case PruningCriterion::Taylor:
      return squared_slopes(network, groups, options.gradients);
    case PruningCriterion::Random:
      return random_scores(groups, options.seed);
  }
  report_bug("a known criterion", __FILE__, __LINE__);
}

}  // namespace espalier
