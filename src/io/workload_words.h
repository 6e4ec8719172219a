// SPDX-License-Identifier: Apache-2.0
// The words and bounds of core/workload.h, as scenario files write them.
#pragma once

#include <array>
#include <string_view>

namespace espalier {

inline constexpr std::array<std::string_view, 4> kNetworks{"vgg11", "alexnet", "mobilenetv2",
                                                           "resnet18"};

// Each in the order of its enumeration.
inline constexpr std::array<std::string_view, 3> kSchedules{"constant", "cosine", "step"};
inline constexpr std::array<std::string_view, 4> kCriteria{"group-l2", "bn-scale", "taylor",
                                                           "random"};
inline constexpr std::array<std::string_view, 2> kOverlaps{"refused", "allowed"};
inline constexpr std::array<std::string_view, 3> kSplits{"iid", "by-class", "dirichlet"};

// The largest whole numbers that every reader of YAML and JSON agrees on.
inline constexpr double kLargestSeed = 9007199254740991.0;
inline constexpr double kMostEpochs = 10'000;

}  // namespace espalier
