// SPDX-License-Identifier: Apache-2.0
#include "training/torch/torch_learner.h"

#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "core/error.h"
#include "networks/parameters.h"
#include "networks/validation.h"
#include "training/batches.h"
#include "training/learner_checks.h"
#include "training/torch/aten.h"
#include "training/torch/forward_pass.h"
#include "training/torch/group_step.h"
#include "training/torch/guarded.h"
#include "training/torch/moment_sums.h"
#include "training/torch/sgd.h"
#include "training/torch/teacher.h"
#include "training/torch/torch_tensors.h"

namespace espalier {
namespace {

// Images that pass at once where nothing is learned: more would gain no speed.
constexpr std::size_t kWorkingBatch = 256;

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point begin) {
  return {std::chrono::duration<double>(Clock::now() - begin).count()};
}

std::vector<uint32_t> given_order(const Samples& samples) {
  std::vector<uint32_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

std::vector<Sgd::Trained> trained_of(const Architecture& architecture, const TorchTensors& all) {
  std::vector<Sgd::Trained> trained;
  for (const Parameter& parameter : parameters_of(architecture)) {
    if (parameter.kind != ParameterKind::Trained) continue;
    trained.push_back({parameter.name, all.at(parameter.name)});
    trained.back().weight.requires_grad_(true);
  }
  return trained;
}

std::vector<at::Tensor> remembered_of(const Architecture& architecture, const TorchTensors& all) {
  std::vector<at::Tensor> remembered;
  for (const Parameter& parameter : parameters_of(architecture)) {
    if (parameter.kind != ParameterKind::Trained) remembered.push_back(all.at(parameter.name));
  }
  return remembered;
}

// A batch of `samples` images had this mean loss.
void count(EpochOutcome& outcome, double loss, std::size_t samples) {
  outcome.samples += static_cast<int64_t>(samples);
  const double share = static_cast<double>(samples) / static_cast<double>(outcome.samples);
  outcome.loss.value += (loss - outcome.loss.value) * share;
  if (std::isfinite(loss)) {
    ++outcome.steps;
  } else {
    outcome.end = EpochEnd::Divergent;
  }
}

// Owned by one thread.
class TorchLearner final : public Learner {
 public:
  TorchLearner(const Network& network, const LearnerOptions& options, BatchGroup* group)
      : options_(options),
        group_(group),
        architecture_(network.architecture),
        tensors_(torch_tensors(network.weights)),
        sgd_(trained_of(architecture_, tensors_), network.momentum),
        forward_(architecture_, tensors_),
        maker_(options, architecture_.input),
        dropout_(at::make_generator<at::CPUGeneratorImpl>()) {}

  EpochOutcome train(const Samples& samples, const Epoch& epoch) override {
    return guarded([&] {
      return group_ == nullptr ? learn_all(samples, epoch, nullptr)
                               : learn_in_group(samples, epoch);
    });
  }

  EpochOutcome distil(const Samples& samples, const Epoch& epoch,
                      const Teaching& teaching) override {
    check_teaching(teaching, architecture_);
    return guarded([&] {
      const Teacher teacher(teaching);
      return learn_all(samples, epoch, &teacher);
    });
  }

  Loss step(const Samples& batch) override;
  Evaluation evaluate(const Samples& samples) override;
  Tensors gradients(const Samples& samples) override;
  InputMoments input_moments(const Samples& samples) override;
  void refresh_statistics(const Samples& samples) override;

  Network network() const override {
    return {architecture_, plain_tensors(tensors_), sgd_.momentum()};
  }

 private:
  EpochOutcome learn_all(const Samples& samples, const Epoch& epoch, const Teacher* teacher);
  double learn(const TorchBatch& batch, int epoch, const Teacher* teacher);
  EpochOutcome learn_in_group(const Samples& samples, const Epoch& epoch);
  GroupStep part_of_step(const Samples& samples, std::span<const uint32_t> batch, int epoch);
  SgdRates rates(int epoch) const {
    return {learning_rate_at(options_, epoch), options_.momentum, options_.weight_decay};
  }

  // Calls `use(batch)` for batches that cover the samples, in their order.
  template <class Use>
  void for_each_batch(const Samples& samples, std::size_t size, const Use& use);

  TorchBatch view(const Batch& batch) const { return view_of(batch, architecture_.input); }
  void start(uint64_t epoch);

  LearnerOptions options_;
  BatchGroup* group_;  // none: it learns alone
  Architecture architecture_;
  TorchTensors tensors_;
  Sgd sgd_;
  ForwardPass forward_;
  BatchMaker maker_;
  at::Generator dropout_;
};

void TorchLearner::start(uint64_t epoch) {
  // libtorch keeps the number of threads for each thread that calls it.
  if (at::get_num_threads() != options_.threads) at::set_num_threads(options_.threads);
  dropout_.set_current_seed(options_.seed * 0x9e3779b97f4a7c15U + epoch);
}

template <class Use>
void TorchLearner::for_each_batch(const Samples& samples, std::size_t size, const Use& use) {
  start(0);
  const std::vector<uint32_t> order = given_order(samples);
  for (const auto part : cut_into_batches(order, size)) use(view(maker_.plain(samples, part)));
}

EpochOutcome TorchLearner::learn_all(const Samples& samples, const Epoch& epoch,
                                     const Teacher* teacher) {
  check_training_samples(samples, architecture_);
  start(static_cast<uint64_t>(epoch.number));
  const Clock::time_point begin = Clock::now();
  const std::vector<uint32_t> order = epoch_order(options_.seed, epoch.number, samples.size());
  EpochOutcome outcome;
  for (const auto part : cut_into_batches(order, static_cast<std::size_t>(options_.batch))) {
    if (outcome.end == EpochEnd::Finished && epoch.stop.stop_requested()) {
      outcome.end = EpochEnd::Stopped;
    }
    if (outcome.end != EpochEnd::Finished) break;
    const Clock::time_point preparing = Clock::now();
    const TorchBatch batch = view(maker_.pose(samples, part, epoch.number));
    outcome.preparing += since(preparing);
    count(outcome, learn(batch, epoch.number, teacher), part.size());
    if (epoch.seen) epoch.seen(outcome.samples);
  }
  outcome.time = since(begin);
  return outcome;
}

double TorchLearner::learn(const TorchBatch& batch, int epoch, const Teacher* teacher) {
  const at::Tensor logits = forward_(batch.images, {PassMode::Training, dropout_});
  const at::Tensor loss = teacher == nullptr ? at::cross_entropy_loss(logits, batch.labels)
                                             : teacher->loss(logits, batch);
  const auto value = loss.item<double>();
  if (!std::isfinite(value)) return value;
  loss.backward();
  sgd_.step(rates(epoch));
  return value;
}

// What this member adds to a step of the group: nothing where the batch is too small for all.
GroupStep TorchLearner::part_of_step(const Samples& samples, std::span<const uint32_t> batch,
                                     int epoch) {
  const auto part = own_part(batch, *group_);
  if (part.empty()) return {sgd_.take_gradients(), 0};
  const TorchBatch own = view(maker_.pose(samples, part, epoch));
  const at::Tensor loss =
      at::cross_entropy_loss(forward_(own.images, {PassMode::Training, dropout_}), own.labels);
  const at::Tensor shared =
      loss.mul(static_cast<double>(part.size()) / static_cast<double>(batch.size()));
  shared.backward();
  return {sgd_.take_gradients(), shared.item<double>()};
}

EpochOutcome TorchLearner::learn_in_group(const Samples& samples, const Epoch& epoch) {
  check_training_samples(samples, architecture_);
  start(static_cast<uint64_t>(epoch.number));
  const Clock::time_point begin = Clock::now();
  const std::vector<uint32_t> order = epoch_order(options_.seed, epoch.number, samples.size());
  EpochOutcome outcome;
  for (const auto batch : cut_into_batches(order, static_cast<std::size_t>(options_.batch))) {
    GroupStep step = part_of_step(samples, batch, epoch.number);
    step.stops = epoch.stop.stop_requested();
    exchange(step, *group_);
    if (step.stops) outcome.end = EpochEnd::Stopped;
    if (outcome.end != EpochEnd::Finished) break;
    count(outcome, step.loss, batch.size());
    if (outcome.end != EpochEnd::Finished) break;
    sgd_.step(rates(epoch.number), step.gradients);
    if (epoch.seen) epoch.seen(outcome.samples);
  }
  share_statistics(remembered_of(architecture_, tensors_), *group_);
  outcome.time = since(begin);
  return outcome;
}

Loss TorchLearner::step(const Samples& batch) {
  check_training_samples(batch, architecture_);
  Loss loss{};
  guarded([&] {
    for_each_batch(batch, batch.size(),
                   [&](const TorchBatch& all) { loss = {learn(all, 0, nullptr)}; });
  });
  return loss;
}

Evaluation TorchLearner::evaluate(const Samples& samples) {
  check_samples(samples, architecture_);
  const at::NoGradGuard no_grad;
  double loss = 0;
  double right = 0;
  guarded([&] {
    for_each_batch(samples, kWorkingBatch, [&](const TorchBatch& batch) {
      const at::Tensor logits = forward_(batch.images, {});
      loss += at::cross_entropy_loss(logits, batch.labels).item<double>() *
              static_cast<double>(batch.labels.size(0));
      right += logits.argmax(1).eq(batch.labels).sum().item<double>();
    });
  });
  const auto count = static_cast<double>(samples.size());
  return {.loss = {loss / count}, .accuracy = right / count};
}

Tensors TorchLearner::gradients(const Samples& samples) {
  check_samples(samples, architecture_);
  guarded([&] {
    for_each_batch(samples, kWorkingBatch, [&](const TorchBatch& batch) {
      const at::Tensor loss = at::cross_entropy_loss(forward_(batch.images, {}), batch.labels);
      const double share =
          static_cast<double>(batch.labels.size(0)) / static_cast<double>(samples.size());
      loss.mul(share).backward();
    });
  });
  Tensors gradients;
  const std::vector<at::Tensor> taken = sgd_.take_gradients();
  for (std::size_t i = 0; i < taken.size(); ++i) {
    gradients.emplace(sgd_.trained()[i].name, plain_tensor(taken[i]));
  }
  return gradients;
}

InputMoments TorchLearner::input_moments(const Samples& samples) {
  check_samples(samples, architecture_);
  const at::NoGradGuard no_grad;
  MomentSums sums(architecture_);
  Pass pass;
  pass.watch = [&](LayerId layer, const at::Tensor& input) { sums.add(layer, input); };
  guarded([&] {
    for_each_batch(samples, kWorkingBatch,
                   [&](const TorchBatch& batch) { forward_(batch.images, pass); });
  });
  return sums.moments();
}

void TorchLearner::refresh_statistics(const Samples& samples) {
  check_training_samples(samples, architecture_);
  const at::NoGradGuard no_grad;
  int seen = 0;
  guarded([&] {
    for_each_batch(samples, static_cast<std::size_t>(options_.batch), [&](const TorchBatch& batch) {
      // With a rate of 1, ½, ⅓, … what is remembered is the mean of all so far.
      forward_(batch.images, {PassMode::Training, dropout_, 1.0 / ++seen});
    });
  });
}

}  // namespace

std::unique_ptr<Learner> torch_learner(const Network& network, const LearnerOptions& options) {
  validate(network);
  validate(options);
  return guarded([&] { return std::make_unique<TorchLearner>(network, options, nullptr); });
}

std::unique_ptr<Learner> torch_learner_in(BatchGroup& group, const Network& network,
                                          const LearnerOptions& options) {
  validate(network);
  validate(options);
  return guarded([&] { return std::make_unique<TorchLearner>(network, options, &group); });
}

LearnerFactory torch_learners(const LearnerOptions& options) {
  return [options](const Network& network) { return torch_learner(network, options); };
}

}  // namespace espalier
