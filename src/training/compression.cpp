// SPDX-License-Identifier: Apache-2.0
#include "training/compression.h"

#include <chrono>

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point begin) {
  return {std::chrono::duration<double>(Clock::now() - begin).count()};
}

Network pruned(const Network& network, const Architecture& full, PruningOptions options,
               const Tensors& gradients) {
  options.scores.gradients = &gradients;
  return prune(network, full, options).network;
}

}  // namespace

CompressionOutcome compress_by_pruning(const Network& network, const Architecture& full,
                                       const PruningOptions& options, const Samples& samples,
                                       const LearnerFactory& make_learner) {
  const auto large = make_learner(network);
  CompressionOutcome outcome{.network = {}, .before = large->evaluate(samples)};
  const Clock::time_point begin = Clock::now();
  const bool needs_gradients = options.scores.criterion == Criterion::Taylor;
  const Tensors gradients = needs_gradients ? large->gradients(samples) : Tensors{};
  const auto small = make_learner(pruned(network, full, options, gradients));
  small->refresh_statistics(samples);
  outcome.network = small->network();
  outcome.time = since(begin);
  outcome.after = small->evaluate(samples);
  return outcome;
}

CompressionOutcome compress_by_distilling(const Network& teacher, const Distillation& plan,
                                          const Samples& samples,
                                          const LearnerFactory& make_learner) {
  CompressionOutcome outcome{.network = {}, .before = make_learner(teacher)->evaluate(samples)};
  const Clock::time_point begin = Clock::now();
  const auto student = make_learner(plan.student);
  const Teaching teaching{teacher, plan.temperature, plan.mix};
  for (int i = 0; i < plan.epochs && outcome.end == EpochEnd::Finished; ++i) {
    const Epoch epoch{plan.first.number + i, plan.first.stop};
    outcome.end = student->distil(samples, epoch, teaching).end;
  }
  outcome.network = student->network();
  outcome.time = since(begin);
  outcome.after = student->evaluate(samples);
  return outcome;
}

}  // namespace espalier
