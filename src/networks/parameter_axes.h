// SPDX-License-Identifier: Apache-2.0
// Which dimension of which parameter belongs to which channel group: what goes when a channel goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "networks/channel_groups.h"
#include "networks/parameters.h"

namespace espalier {

// Channel c of `group` is the indices c·block … (c+1)·block − 1 of `dimension`.
struct ChannelAxis {
  std::size_t dimension = 0;  // 0: what the layer gives; 1: what it takes
  std::size_t group = 0;
  int64_t block = 1;
};

struct ParameterAxes {
  Parameter parameter;
  std::vector<ChannelAxis> axes;
};

// In the order of parameters_of. REQUIRES: the groups are those of the architecture.
std::vector<ParameterAxes> parameter_axes(const Architecture& architecture,
                                          const ChannelGroups& groups);

}  // namespace espalier
