// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_budget.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "networks/channel_groups.h"
#include "networks/layer_fault.h"

namespace espalier {
namespace {

[[noreturn]] void bad_ratio(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::BadInput, what, hint);
}

void check_ratio(double ratio, const std::string& of) {
  if (!(ratio >= 0 && ratio < 1)) {
    bad_ratio(fmt::format("a pruning ratio of {}{}", ratio, of),
              "from 0 (keep all channels) to less than 1 (keep none)");
  }
}

void check_ratios(const PruningRatios& ratios) {
  check_ratio(ratios.ratio, "");
  for (const auto& [layer, ratio] : ratios.of_layer) {
    check_ratio(ratio, " for layer '" + shown_name(layer) + "'");
  }
  if (ratios.round_to < 1) {
    bad_ratio(fmt::format("channels rounded to multiples of {}", ratios.round_to), "1 or more");
  }
}

// The channels that a layer makes, where it makes some of its own.
int64_t* channels_made_by(Layer& layer) {
  if (auto* linear = std::get_if<Linear>(&layer.kind)) return &linear->out;
  auto* convolution = std::get_if<Convolution>(&layer.kind);
  return convolution != nullptr && !convolution->depthwise ? &convolution->out : nullptr;
}

Architecture without_channels(Architecture architecture) {
  for (Layer& layer : architecture.layers) {
    if (int64_t* channels = channels_made_by(layer)) *channels = 0;
  }
  return architecture;
}

void check_same_network(const Architecture& network, const Architecture& full) {
  if (without_channels(network) == without_channels(full)) return;
  bad_ratio(fmt::format("network '{}' is not a pruned version of '{}': other layers", network.name,
                        full.name),
            "prune a network together with the full one that it came from");
}

void check_not_larger(const ChannelGroup& now, const ChannelGroup& full) {
  const bool fits = now.is_prunable ? now.channels <= full.channels : now.channels == full.channels;
  if (fits) return;
  bad_ratio(fmt::format("layer '{}' has {} channels, and {} in the full network", now.name,
                        now.channels, full.channels),
            "prune a network together with the full one that it came from");
}

LayerId layer_named(const Architecture& network, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].name == name) return {static_cast<int>(i)};
    names.push_back(network.layers[i].name);
  }
  bad_ratio(fmt::format("a pruning ratio for '{}', a layer that '{}' does not have{}",
                        shown_name(name), network.name, did_you_mean(name, names)),
            "name a layer of the network");
}

// The ratio of each group that somebody named a layer of.
std::vector<std::optional<double>> named_ratios(const Architecture& network,
                                                const ChannelGroups& groups,
                                                const PruningRatios& ratios) {
  std::vector<std::optional<double>> named(groups.size());
  for (const auto& [name, ratio] : ratios.of_layer) {
    const std::size_t group = groups.group_of(layer_named(network, name));
    if (!groups[group].is_prunable) {
      bad_ratio(fmt::format("a pruning ratio for layer '{}', which cannot be pruned", name),
                "its channels are those of the image or the classes");
    }
    if (named[group].value_or(ratio) != ratio) {
      bad_ratio(fmt::format("two pruning ratios for the channels of '{}': {} and {}",
                            groups[group].name, *named[group], ratio),
                fmt::format("layer '{}' shares them; name one of its layers only", name));
    }
    named[group] = ratio;
  }
  return named;
}

int64_t kept(int64_t full, double ratio, int64_t round_to) {
  if (ratio == 0) return full;
  const double wanted = static_cast<double>(full) * (1 - ratio);
  const double multiples = std::floor(wanted / static_cast<double>(round_to) + 0.5);
  const auto most = static_cast<double>(full / round_to + 1);
  return std::min(full, round_to * static_cast<int64_t>(std::clamp(multiples, 1.0, most)));
}

}  // namespace

std::vector<int64_t> channel_budget(const Architecture& network, const Architecture& full,
                                    const PruningRatios& ratios) {
  check_ratios(ratios);
  check_same_network(network, full);
  const ChannelGroups now(network);
  const ChannelGroups unpruned(full);
  const auto named = named_ratios(network, now, ratios);
  std::vector<int64_t> budget;
  for (std::size_t group = 0; group < now.size(); ++group) {
    check_not_larger(now[group], unpruned[group]);
    const double ratio = now[group].is_prunable ? named[group].value_or(ratios.ratio) : 0;
    const int64_t goal = kept(unpruned[group].channels, ratio, ratios.round_to);
    budget.push_back(std::min(goal, now[group].channels));
  }
  return budget;
}

Architecture with_channels(const Architecture& network, const std::vector<int64_t>& channels) {
  const ChannelGroups groups(network);
  ESPALIER_CHECK(channels.size() == groups.size());
  Architecture changed = network;
  for (std::size_t i = 0; i < changed.layers.size(); ++i) {
    int64_t* made = channels_made_by(changed.layers[i]);
    if (made != nullptr) *made = channels[groups.group_of({static_cast<int>(i)})];
  }
  return changed;
}

Architecture pruned_architecture(const Architecture& full, const PruningRatios& ratios) {
  return with_channels(full, channel_budget(full, full, ratios));
}

}  // namespace espalier
