// SPDX-License-Identifier: Apache-2.0
#include "training/compression.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point begin) {
  return {std::chrono::duration<double>(Clock::now() - begin).count()};
}

// For scores by gradients.
constexpr std::size_t kBatches = 64;
constexpr std::size_t kBatchSize = 64;
constexpr std::size_t kSamplesForMoments = 2048;

std::size_t batches_of(std::size_t count) {
  return std::clamp(count / kBatchSize, std::size_t{1}, kBatches);
}

// Goes through all samples with a large stride, whatever their order.
std::size_t stride_through(std::size_t count) {
  return std::max(batches_of(count), (count + kBatchSize - 1) / kBatchSize);
}

GradientSource gradients_on(const Samples& samples, Learner& learner) {
  const std::size_t batches = batches_of(samples.size());
  const std::size_t stride = stride_through(samples.size());
  return [&samples, &learner, batches, stride, batch = std::size_t{0}]() mutable {
    if (batch == batches) return std::optional<Tensors>();
    return std::optional(learner.gradients(samples.every(stride, batch++, kBatchSize)));
  };
}

}  // namespace

std::size_t samples_to_score(PruningCriterion criterion, std::size_t count) {
  return criterion == PruningCriterion::Taylor ? std::min(count, batches_of(count) * kBatchSize)
                                               : 0;
}

CompressionOutcome compress_by_pruning(const Network& network, const Architecture& full,
                                       const PruningOptions& options, const Samples& samples,
                                       const LearnerFactory& make_learner) {
  const auto large = make_learner(network);
  CompressionOutcome outcome{.network = {}, .before = large->evaluate(samples)};
  const Clock::time_point begin = Clock::now();
  const std::size_t stride = (samples.size() + kSamplesForMoments - 1) / kSamplesForMoments;
  const InputMoments moments = large->input_moments(samples.every(stride, 0, kSamplesForMoments));
  PruningOptions informed = options;
  informed.scores.gradients = gradients_on(samples, *large);
  informed.moments = &moments;
  const auto small = make_learner(prune(network, full, informed).network);
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
