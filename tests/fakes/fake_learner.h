// SPDX-License-Identifier: Apache-2.0
// A learner that computes nothing useful, quickly: what it makes of a network depends on all that a
// real one depends on, and on nothing else.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include "networks/parameters.h"
#include "training/learner.h"
#include "training/learner_options.h"

namespace espalier::fakes {

class FakeLearner final : public Learner {
 public:
  // Called before each epoch; may wait, throw, or say how the epoch ends.
  using OnEpoch = std::function<EpochEnd(const Epoch&)>;

  FakeLearner(Network network, const LearnerOptions& options, OnEpoch on_epoch)
      : network_(std::move(network)), options_(options), on_epoch_(std::move(on_epoch)) {}

  EpochOutcome train(const Samples& samples, const Epoch& epoch) override {
    EpochOutcome outcome;
    outcome.end = on_epoch_(epoch);
    outcome.loss = {outcome.end == EpochEnd::Divergent ? std::numeric_limits<double>::quiet_NaN()
                                                       : 1 + mean(samples)};
    outcome.samples = static_cast<int64_t>(samples.size());
    if (outcome.end == EpochEnd::Finished) learn(mean(samples), epoch.number);
    return outcome;
  }
  EpochOutcome distil(const Samples& samples, const Epoch& epoch, const Teaching&) override {
    return train(samples, epoch);
  }
  Loss step(const Samples& batch) override { return {mean(batch)}; }
  Evaluation evaluate(const Samples& samples) override { return {{2 + mean(samples)}, 0.5}; }
  Tensors gradients(const Samples&) override { return network_.weights; }
  InputMoments input_moments(const Samples&) override { return {}; }
  void refresh_statistics(const Samples&) override {}
  Network network() const override { return network_; }

 private:
  // Of pixels and labels, in their order.
  static double mean(const Samples& samples) {
    double sum = 0;
    for (std::size_t i = 0; i < samples.size(); ++i)
      sum = 0.999 * sum + samples.label(i) + samples.pixels(i).front() / 255.0;
    return sum / static_cast<double>(samples.size());
  }

  void learn(double mean, int epoch) {
    const double rate = options_.learning_rate * (1 + epoch + static_cast<double>(options_.seed));
    for (const Parameter& parameter : parameters_of(network_.architecture)) {
      Tensor& tensor = network_.weights.at(parameter.name);
      for (float& value : tensor.values) value = static_cast<float>(0.9 * value + rate * mean);
      if (parameter.kind == ParameterKind::Trained) network_.momentum[parameter.name] = tensor;
    }
  }

  Network network_;
  const LearnerOptions options_;
  const OnEpoch on_epoch_;
};

inline std::function<LearnerFactory(const LearnerOptions&)> fake_learners(
    FakeLearner::OnEpoch on_epoch = [](const Epoch&) { return EpochEnd::Finished; }) {
  return [on_epoch](const LearnerOptions& options) -> LearnerFactory {
    return [=](const Network& network) {
      return std::make_unique<FakeLearner>(network, options, on_epoch);
    };
  };
}

}  // namespace espalier::fakes
