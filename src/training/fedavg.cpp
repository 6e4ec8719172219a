// SPDX-License-Identifier: Apache-2.0
#include "training/fedavg.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "networks/validation.h"

namespace espalier {
namespace {

constexpr std::uint32_t kExponent = 0x7f800000;  // all ones: no finite number

[[noreturn]] void refuse(std::size_t position, const std::string& what) {
  throw Error(ErrorCode::BadInput, "contribution " + std::to_string(position) + ": " + what);
}

void check_finite(const Tensors& tensors, std::size_t position) {
  for (const auto& [name, tensor] : tensors) {
    if (!all_finite(tensor.values)) {
      refuse(position, name + " has a value that is no finite number");
    }
  }
}

void check(const Contribution& contribution, const Architecture& expected, std::size_t position) {
  if (!(contribution.weight > 0) || !std::isfinite(contribution.weight)) {
    refuse(position, "its weight must be positive and finite");
  }
  if (contribution.network.architecture != expected) refuse(position, "another architecture");
  try {
    validate(contribution.network);
  } catch (const Error& error) {
    refuse(position, error.what());
  }
  check_finite(contribution.network.weights, position);
  check_finite(contribution.network.momentum, position);
}

// Sums in double: the mean of equal values is that value again.
using Sums = std::map<std::string, std::vector<double>>;

void add(Sums& sums, const Tensors& tensors, double share) {
  for (const auto& [name, tensor] : tensors) {
    std::vector<double>& sum = sums[name];
    sum.resize(tensor.values.size());
    add_share(sum, tensor.values, share);
  }
}

void take_over(Tensors& tensors, const Sums& sums, const Tensors& shapes) {
  for (const auto& [name, sum] : sums) {
    Tensor tensor{shapes.at(name).shape, {}};
    tensor.values.reserve(sum.size());
    for (const double value : sum) tensor.values.push_back(static_cast<float>(value));
    tensors[name] = std::move(tensor);
  }
}

double total_weight(std::span<const Contribution> contributions) {
  double total = 0;
  for (const Contribution& contribution : contributions) total += contribution.weight;
  return total;
}

}  // namespace

void add_share(std::span<double> sums, std::span<const float> values, double share) {
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += share * static_cast<double>(values[i]);
}

// Without a way out of the loop, so that it can look at many values at once.
bool all_finite(std::span<const float> values) {
  std::uint32_t worst = 0;
  for (const float value : values)
    worst = std::max(worst, std::bit_cast<std::uint32_t>(value) & kExponent);
  return worst != kExponent;
}

Network average(std::span<const Contribution> contributions) {
  if (contributions.empty()) {
    throw Error(ErrorCode::BadInput, "there is no contribution to average");
  }
  const Network& first = contributions.front().network;
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    check(contributions[i], first.architecture, i);
  }
  const double total = total_weight(contributions);
  Sums weights;
  Sums momentum;
  for (const auto& [network, weight] : contributions) {
    add(weights, network.weights, weight / total);
    add(momentum, network.momentum, weight / total);
  }
  Network mean{first.architecture, {}, {}};
  take_over(mean.weights, weights, first.weights);
  take_over(mean.momentum, momentum, first.weights);
  return mean;
}

}  // namespace espalier
