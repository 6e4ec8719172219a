// SPDX-License-Identifier: Apache-2.0
#include "node/crew_order.h"

#include <cstring>

#include "io/tensor_header.h"
#include "networks/architecture_limits.h"

namespace espalier {
namespace {

constexpr int kMostThreads = 1024;
// Weights and momentum of the largest network, what stands before them, and room to spare.
constexpr std::uint64_t kMostNetworkBytes =
    2 * sizeof(float) * std::uint64_t{kMostParameters} + kLongestTensorHeader + 1024;

bool is_known(RateSchedule schedule) {
  return schedule == RateSchedule::Constant || schedule == RateSchedule::Cosine ||
         schedule == RateSchedule::Step;
}

// Whether the options make sense besides is for the learner to say.
bool is_possible(const CrewOrder& order) {
  return order.is_end <= 1 && is_known(order.schedule.kind) && order.threads > 0 &&
         order.threads <= kMostThreads && order.network_bytes <= kMostNetworkBytes;
}

}  // namespace

CrewOrder order_of(const LearnerOptions& options) {
  CrewOrder order;
  order.batch = options.batch;
  order.learning_rate = options.learning_rate;
  order.momentum = options.momentum;
  order.weight_decay = options.weight_decay;
  order.schedule = options.schedule;
  order.jitter = options.jitter;
  order.seed = options.seed;
  order.threads = options.threads;
  return order;
}

LearnerOptions options_of(const CrewOrder& order) {
  LearnerOptions options;
  options.batch = order.batch;
  options.learning_rate = order.learning_rate;
  options.momentum = order.momentum;
  options.weight_decay = order.weight_decay;
  options.schedule = order.schedule;
  options.jitter = order.jitter;
  options.seed = order.seed;
  options.threads = order.threads;
  return options;
}

std::string bytes_of(const CrewOrder& order) {
  std::string bytes(sizeof order, '\0');
  std::memcpy(bytes.data(), &order, sizeof order);
  return bytes;
}

std::optional<CrewOrder> order_in(const std::string& bytes) {
  CrewOrder order;
  if (bytes.size() != sizeof order) return std::nullopt;
  std::memcpy(&order, bytes.data(), sizeof order);
  return is_possible(order) ? std::optional(order) : std::nullopt;
}

}  // namespace espalier
