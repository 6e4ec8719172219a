// SPDX-License-Identifier: Apache-2.0
#include "networks/pruning.h"

#include "core/error.h"
#include "networks/channel_choice.h"
#include "networks/channel_groups.h"
#include "networks/slicing.h"

namespace espalier {
namespace {

Cost cost_of_group(const std::vector<Cost>& layer_costs, const ChannelGroup& group) {
  Cost cost;
  for (const LayerId layer : group.layers)
    cost += layer_costs[static_cast<std::size_t>(layer.index)];
  return cost;
}

void add_to(GroupChange& total, const GroupChange& change) {
  total.full_channels += change.full_channels;
  total.channels_before += change.channels_before;
  total.channels_after += change.channels_after;
  total.before += change.before;
  total.after += change.after;
}

}  // namespace

PruningReport pruning_report(const Architecture& before, const Architecture& after,
                             const Architecture& full) {
  const ChannelGroups old_groups(before);
  const ChannelGroups new_groups(after);
  const ChannelGroups full_groups(full);
  const std::vector<Cost> old_costs = layer_costs(before);
  const std::vector<Cost> new_costs = layer_costs(after);
  ESPALIER_CHECK(old_groups.size() == new_groups.size() && old_groups.size() == full_groups.size());
  PruningReport report{.groups = {}, .total = {.name = "total"}};
  for (std::size_t i = 0; i < old_groups.size(); ++i) {
    report.groups.push_back({.name = old_groups[i].name,
                             .full_channels = full_groups[i].channels,
                             .channels_before = old_groups[i].channels,
                             .channels_after = new_groups[i].channels,
                             .before = cost_of_group(old_costs, old_groups[i]),
                             .after = cost_of_group(new_costs, new_groups[i])});
    add_to(report.total, report.groups.back());
  }
  return report;
}

PruningResult prune(const Network& network, const Architecture& full,
                    const PruningOptions& options) {
  const ChannelGroups groups(network.architecture);
  const auto budget = channel_budget(network.architecture, full, options.ratios);
  const ChannelScores scores = score_channels(network, groups, options.scores);
  const KeptChannels kept = choose_channels(scores, budget);
  Network pruned =
      slice(options.moments == nullptr ? network : absorbed(network, kept, *options.moments), kept);
  PruningReport report = pruning_report(network.architecture, pruned.architecture, full);
  return {std::move(pruned), std::move(report)};
}

}  // namespace espalier
