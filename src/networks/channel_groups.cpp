// SPDX-License-Identifier: Apache-2.0
#include "networks/channel_groups.h"

#include <algorithm>
#include <numeric>
#include <variant>

#include "networks/shapes.h"

namespace espalier {
namespace {

// Union-find whose sets are known by their least member.
class Partition {
 public:
  explicit Partition(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t member) {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t root_a = find(a);
    const std::size_t root_b = find(b);
    parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }

 private:
  std::vector<std::size_t> parent_;
};

bool makes_channels(const Layer& layer) {
  if (const auto* convolution = std::get_if<Convolution>(&layer.kind)) {
    return !convolution->depthwise;
  }
  return std::holds_alternative<Linear>(layer.kind);
}

std::size_t position_of(LayerId layer) { return static_cast<std::size_t>(layer.index + 1); }

Partition joined_dimensions(const Architecture& architecture) {
  Partition partition(architecture.layers.size() + 1);
  for (std::size_t i = 0; i < architecture.layers.size(); ++i) {
    const Layer& layer = architecture.layers[i];
    if (makes_channels(layer)) continue;
    for (const LayerId input : layer.inputs) partition.join(i + 1, position_of(input));
  }
  return partition;
}

std::vector<int64_t> block_sizes(const Architecture& architecture, const Shapes& shapes) {
  std::vector<int64_t> blocks{1};
  for (const Layer& layer : architecture.layers) {
    const int64_t before = blocks[position_of(layer.inputs.front())];
    const bool is_flatten = std::holds_alternative<Flatten>(layer.kind);
    const int64_t handed_on = is_flatten ? shapes.before(layer).pixels() : before;
    blocks.push_back(makes_channels(layer) ? 1 : handed_on);
  }
  return blocks;
}

}  // namespace

ChannelGroups::ChannelGroups(const Architecture& architecture) {
  const Shapes shapes(architecture);
  Partition partition = joined_dimensions(architecture);
  block_of_ = block_sizes(architecture, shapes);
  groups_.push_back({"image", architecture.input.channels, false, {}});
  group_of_.assign(architecture.layers.size() + 1, 0);
  for (std::size_t i = 0; i < architecture.layers.size(); ++i) {
    const LayerId id{static_cast<int>(i)};
    const std::size_t root = partition.find(i + 1);
    if (root == i + 1) {
      group_of_[root] = groups_.size();
      groups_.push_back({architecture.layers[i].name, shapes.after(id).channels, true, {}});
    }
    group_of_[i + 1] = group_of_[root];
    groups_[group_of_[root]].layers.push_back(id);
  }
  groups_[group_of_.back()].is_prunable = false;
}

}  // namespace espalier
