// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/fit_loop.h"

#include <algorithm>
#include <cmath>

#include "estimation/torch/adam.h"
#include "training/batches.h"

namespace espalier {
namespace {

// Examples are sorted by length within so many batches.
constexpr std::size_t kBatchesSorted = 4;
// Before it gives up, a fit tries shorter steps: so often, each time so many times as long.
constexpr int kSlowings = 3;
constexpr double kSlower = 0.5;

using Positions = std::vector<std::uint32_t>;

// In a random order, but neighbours are of similar length.
Positions order_of(const Fitting& fitting, const FitOptions& options, int epoch) {
  Positions order = epoch_order(options.seed, epoch, fitting.lengths.size());
  const std::size_t window = kBatchesSorted * static_cast<std::size_t>(options.batch);
  for (std::size_t begin = 0; begin < order.size(); begin += window) {
    const std::size_t count = std::min(window, order.size() - begin);
    std::ranges::stable_sort(std::span(order).subspan(begin, count), {},
                             [&](std::uint32_t i) { return fitting.lengths[i]; });
  }
  return order;
}

// Owned by one thread.
class FitLoop {
 public:
  FitLoop(std::vector<at::Tensor> weights, const Fitting& fitting, const FitOptions& options,
          const FitWatch& watch)
      : fitting_(fitting),
        options_(options),
        watch_(watch),
        weights_(std::move(weights)),
        adam_(weights_, {.learning_rate = options.learning_rate,
                         .longest_gradient = options.longest_gradient}) {
    keep();
  }

  FitOutcome run();

 private:
  // The mean loss; not finite where it diverges. Ends early when asked to stop.
  double learn_epoch(int epoch);
  double learn(std::span<const std::uint32_t> batch);
  void judge(double loss);
  // Shorter steps where long ones only jump to and fro.
  void slow_down();
  bool has_settled() const { return progress_.epoch - progress_.best_epoch >= options_.patience; }
  void keep();
  void restore();

  const Fitting& fitting_;
  const FitOptions& options_;
  const FitWatch& watch_;
  std::vector<at::Tensor> weights_;
  std::vector<at::Tensor> best_;
  Adam adam_;
  FitProgress progress_{};
  int slowed_epoch_ = 0;
};

void FitLoop::keep() {
  const at::NoGradGuard no_grad;
  best_.clear();
  for (const at::Tensor& weight : weights_) best_.push_back(weight.detach().clone());
}

void FitLoop::restore() {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i].copy_(best_[i]);
}

double FitLoop::learn(std::span<const std::uint32_t> batch) {
  const LossSum loss = fitting_.loss(batch);
  if (loss.count == 0) return 0;
  const at::Tensor mean = loss.sum / loss.count;
  const auto value = mean.item<double>();
  if (!std::isfinite(value)) return value;
  mean.backward();
  adam_.step();
  return value;
}

double FitLoop::learn_epoch(int epoch) {
  const Positions order = order_of(fitting_, options_, epoch);
  auto batches = cut_into_batches(order, static_cast<std::size_t>(options_.batch));
  // Not from short to long ones: the order of the batches is random, too.
  const Positions turns = epoch_order(options_.seed + 1, epoch, batches.size());
  double sum = 0;
  for (const std::uint32_t turn : turns) {
    if (watch_.stop.stop_requested() || !std::isfinite(sum)) break;
    sum += learn(batches[turn]);
  }
  return sum / static_cast<double>(batches.size());
}

void FitLoop::judge(double loss) {
  progress_.loss = loss;
  progress_.validation_loss = fitting_.validation_loss();
  if (progress_.validation_loss < progress_.best_validation_loss) {
    progress_.best_validation_loss = progress_.validation_loss;
    progress_.best_epoch = progress_.epoch;
    keep();
  }
  if (watch_.progress) watch_.progress(progress_);
}

void FitLoop::slow_down() {
  const int since = progress_.epoch - std::max(progress_.best_epoch, slowed_epoch_);
  if (kSlowings * since < options_.patience) return;
  adam_.scale_rate(kSlower);
  slowed_epoch_ = progress_.epoch;
}

FitOutcome FitLoop::run() {
  FitEnd end = FitEnd::Limit;
  while (end == FitEnd::Limit && progress_.epoch < options_.most_epochs) {
    const double loss = learn_epoch(progress_.epoch + 1);
    if (watch_.stop.stop_requested()) {
      end = FitEnd::Stopped;
    } else if (!std::isfinite(loss)) {
      end = FitEnd::Divergent;
    } else {
      ++progress_.epoch;
      judge(loss);
      slow_down();
      if (has_settled()) end = FitEnd::Settled;
    }
  }
  restore();
  return {progress_, end};
}

}  // namespace

FitOutcome fit_weights(std::vector<at::Tensor> weights, const Fitting& fitting,
                       const FitOptions& options, const FitWatch& watch) {
  return FitLoop(std::move(weights), fitting, options, watch).run();
}

}  // namespace espalier
