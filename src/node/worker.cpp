// SPDX-License-Identifier: Apache-2.0
#include "node/worker.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "training/compression.h"

namespace espalier {
namespace {

// Images that are looked at to compress a network.
constexpr std::size_t kImagesForPruning = 2'000;

bool is_finite(const Tensors& tensors) {
  return std::ranges::all_of(tensors, [](const auto& named) {
    return std::ranges::all_of(named.second.values,
                               [](float value) { return std::isfinite(value); });
  });
}

bool is_finite(const Network& network) {
  return is_finite(network.weights) && is_finite(network.momentum);
}

// What came of it, before anybody asks what it cost.
struct Made {
  EpochEnd end = EpochEnd::Finished;
  Loss loss{};
  std::size_t samples = 0;
  std::optional<Network> update{};
};

void require_own_images(const Network& network, const OwnData& data) {
  const ImageShape own{data.images.channels, data.images.height, data.images.width};
  if (network.architecture.input == own) return;
  const auto& input = network.architecture.input;
  throw Error(
      ErrorCode::BadInput,
      fmt::format("the network takes images of {}×{}×{}, this node has {}×{}×{}", input.channels,
                  input.height, input.width, own.channels, own.height, own.width));
}

int64_t outputs_of(const Architecture& architecture) {
  return std::get<Linear>(architecture.layers.back().kind).out;
}

std::size_t share_of(std::size_t all, double share) {
  return std::max<std::size_t>(
      1, static_cast<std::size_t>(std::llround(static_cast<double>(all) * share)));
}

// One task, from its network to what is made of it. Owned by one thread.
class Doing {
 public:
  Doing(const Task& task, const Network& network, const OwnData& data, LearnerFactory learners,
        std::stop_token stop, const TellDone& tell)
      : task_(task),
        network_(network),
        data_(data),
        learners_(std::move(learners)),
        stop_(std::move(stop)),
        tell_(tell) {}

  Made operator()(const TrainWork& work) const {
    const Samples own = spread_over(data_.images, share_of(data_.images.size(), work.share));
    const auto learner = learners_(network_);
    EpochOutcome last;
    const auto all = static_cast<double>(own.size()) * work.local_epochs;
    for (int i = 0; i < work.local_epochs && last.end == EpochEnd::Finished; ++i) {
      const auto before = static_cast<double>(own.size()) * i;
      const auto tell = [&](std::int64_t seen) {
        tell_((before + static_cast<double>(seen)) / all);
      };
      Epoch epoch{task_.id.epoch * work.local_epochs + i, stop_};
      if (tell_) epoch.seen = tell;
      last = learner->train(own, epoch);
    }
    Made made{last.end, last.loss, own.size()};
    if (made.end == EpochEnd::Finished) made.update = learner->network();
    return made;
  }

  Made operator()(const EvaluateWork& work) const {
    const Samples own = spread_over(data_.images, static_cast<std::size_t>(work.most));
    return {EpochEnd::Finished, learners_(network_)->evaluate(own).loss, own.size()};
  }

  Made operator()(const PruneWork& work) const {
    const Architecture full = build_network(
        work.network, {work.width, outputs_of(network_.architecture), network_.architecture.input});
    const PruningOptions options{{work.gone, {}, work.round_to},
                                 {work.criterion, nullptr, task_.learning.seed}};
    const Samples some = spread_over(data_.images, kImagesForPruning);
    CompressionOutcome small = compress_by_pruning(network_, full, options, some, learners_);
    if (work.distil_epochs > 0 && !stop_.stop_requested()) small = distilled(work, small.network);
    if (stop_.stop_requested()) return {EpochEnd::Stopped};
    return {small.end, small.after.loss, some.size(), std::move(small.network)};
  }

 private:
  CompressionOutcome distilled(const PruneWork& work, const Network& student) const {
    Distillation plan{student};
    plan.epochs = work.distil_epochs;
    plan.first = {task_.id.epoch, stop_};
    return compress_by_distilling(network_, plan, Samples::all(data_.images), learners_);
  }

  const Task& task_;
  const Network& network_;
  const OwnData& data_;
  const LearnerFactory learners_;
  const std::stop_token stop_;
  const TellDone& tell_;
};

Finished ended(const Task& task, TaskEnd end, std::string message) {
  Finished finished;
  finished.result.task = task.id;
  finished.result.end = end;
  finished.result.message = std::move(message);
  return finished;
}

Finished judged(const Task& task, Made made) {
  if (made.end == EpochEnd::Divergent || !std::isfinite(made.loss.value) ||
      (made.update && !is_finite(*made.update)))
    return ended(task, TaskEnd::Divergent, "the loss or a weight is no finite number any more");
  Finished finished = ended(task, TaskEnd::Finished, "");
  finished.result.loss = made.loss;
  finished.result.samples = static_cast<std::int64_t>(made.samples);
  finished.update = std::move(made.update);
  return finished;
}

// Bad input is for the orchestrator to hear about, and so is what breaks here.
template <class Work>
std::optional<Finished> without_throwing(const Task& task, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    const bool is_refusal = error.code() == ErrorCode::BadInput;
    return ended(task, is_refusal ? TaskEnd::Refused : TaskEnd::Failed, error.what());
  } catch (const std::bad_alloc&) {
    return ended(task, TaskEnd::Failed, "out of memory");
  } catch (const std::exception& error) {
    return ended(task, TaskEnd::Failed, error.what());
  }
}

}  // namespace

LearnerOptions options_of(const LearningSettings& learning, int threads) {
  LearnerOptions options;
  options.batch = learning.batch;
  options.learning_rate = learning.learning_rate;
  options.momentum = learning.momentum;
  options.weight_decay = learning.weight_decay;
  options.schedule.kind = learning.schedule;
  options.jitter = learning.jitter;
  options.seed = learning.seed;
  options.threads = threads;
  return options;
}

std::optional<Finished> Worker::work(const Task& task, const Network& network, std::stop_token stop,
                                     const TellDone& tell) const {
  const TaskMeter meter(tools_.meters, tools_.clock);
  auto finished = without_throwing(task, [&]() -> std::optional<Finished> {
    require_own_images(network, data_);
    const LearnerFactory learners = tools_.learners(options_of(task.learning, tools_.threads));
    Made made = std::visit(Doing(task, network, data_, learners, stop, tell), task.work);
    if (made.end == EpochEnd::Stopped) return std::nullopt;
    return judged(task, std::move(made));
  });
  if (!finished) return finished;
  const EnergyUse use = meter.elapsed();
  finished->result.time = use.time;
  finished->result.energy = tools_.with_others({use.energy, use.provenance, use.source});
  return finished;
}

}  // namespace espalier
