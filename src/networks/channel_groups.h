// SPDX-License-Identifier: Apache-2.0
// Which channels must be pruned together.
//
// Problem: dropping an output channel of a convolution drops the matching entry of the batch norm
// behind it, an input channel of each layer that reads it, and, where residual branches meet, the
// same channel of every other branch.
// Idea: each layer's output has one channel dimension. Full convolutions and linear layers make a
// new one. All other layers hand theirs on: norms, ReLUs, pools and dropouts, depth-wise
// convolutions (channel c out is made of channel c in alone), and Flatten (channel c becomes the
// block of values c·H·W … (c+1)·H·W − 1). An Add joins the dimensions of its inputs. Union-find
// over these dimensions gives the groups. Invariant: all outputs in a group have the group's number
// of channels (a flat one has `block` values for each), so that dropping channel c of a group
// everywhere leaves a sound network. Complexity: linear in the number of layers, but for the
// inverse Ackermann function. Reference: the dependency graph of Fang et al., "DepGraph", CVPR
// 2023, reduced to our layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "networks/architecture.h"

namespace espalier {

struct ChannelGroup {
  std::string name;  // of the first layer that makes these channels; "image" for the image's own
  int64_t channels = 0;
  bool is_prunable = true;      // neither the image's channels nor the classes
  std::vector<LayerId> layers;  // whose outputs have these channels, in order
};

// Immutable.
class ChannelGroups {
 public:
  // REQUIRES: a valid architecture.
  explicit ChannelGroups(const Architecture& architecture);

  // The image's first, then by their first layer. A network and what was pruned from it have the
  // same groups, in the same order.
  const std::vector<ChannelGroup>& all() const& { return groups_; }
  void all() && = delete;  // would dangle
  std::size_t size() const { return groups_.size(); }
  const ChannelGroup& operator[](std::size_t group) const { return groups_[group]; }

  // The group of a layer's output, or of the image.
  std::size_t group_of(LayerId layer) const { return group_of_[position(layer)]; }
  // Values of a layer's output per channel of its group: more than 1 behind a Flatten only.
  int64_t block_of(LayerId layer) const { return block_of_[position(layer)]; }

 private:
  static std::size_t position(LayerId layer) {
    return static_cast<std::size_t>(int64_t{layer.index} + 1);
  }

  std::vector<ChannelGroup> groups_;
  std::vector<std::size_t> group_of_;  // the image, then one per layer
  std::vector<int64_t> block_of_;      // likewise
};

}  // namespace espalier
