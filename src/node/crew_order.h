// SPDX-License-Identifier: Apache-2.0
// What the leader of a crew asks of it: an epoch, or to go home.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "training/learner_options.h"

namespace espalier {

// Plain bytes between processes of the same program.
struct CrewOrder {
  std::uint8_t is_end = 0;  // 1: go home
  int batch = 0;
  double learning_rate = 0;
  double momentum = 0;
  double weight_decay = 0;
  Schedule schedule{};
  int jitter = 0;
  std::uint64_t seed = 0;
  int threads = 1;
  int task = 0;  // 1, 2, …: one of several epochs is one
  int epoch = 0;
  std::uint64_t samples = 0;
  std::uint64_t network_bytes = 0;
};

CrewOrder order_of(const LearnerOptions& options);
LearnerOptions options_of(const CrewOrder& order);

std::string bytes_of(const CrewOrder& order);
// Nothing where they are of another version, or beyond what a network or a machine may have.
std::optional<CrewOrder> order_in(const std::string& bytes);

}  // namespace espalier
