// SPDX-License-Identifier: Apache-2.0
// The role of learners: a network in training.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "core/units.h"
#include "networks/absorption.h"
#include "networks/tensors.h"
#include "training/samples.h"

namespace espalier {

// One pass over the samples. All chance in it comes from the learner's seed and `number`: an epoch
// that is repeated from the same network, in whatever process, ends in the same network.
struct Epoch {
  int number = 0;  // 0, 1, … over the whole run: order of the images, learning rate
  std::stop_token stop{};
  std::function<void(int64_t samples)> seen{};  // told after every batch, where somebody listens
};

enum class EpochEnd {
  Finished,
  Stopped,    // asked to; some samples have not been seen
  Divergent,  // a loss that is no finite number: the step was not taken, and no more were
};

struct EpochOutcome {
  EpochEnd end = EpochEnd::Finished;
  Loss loss{};  // mean over the samples seen, each before its own step; not finite where divergent
  int64_t samples = 0;  // seen
  int64_t steps = 0;
  Seconds time{};
  Seconds preparing{};  // the part of `time` spent on turning bytes into batches
};

struct Evaluation {
  Loss loss{};          // mean
  double accuracy = 0;  // share of samples whose largest logit is their label's
};

// Who a student learns from besides the labels, as in Hinton, Vinyals and Dean (2015):
// mix · temperature² · KL(teacher ‖ student), both softened, + (1 − mix) · cross entropy.
struct Teaching {
  Network teacher;
  double temperature = 4;
  double mix = 0.9;
};

// Every function but network() throws Error{BadInput} where the samples are no images for the
// network, and Error{RunFailed} where the library below fails. Owned by one thread.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual EpochOutcome train(const Samples& samples, const Epoch& epoch) = 0;
  // The loss of the outcome is that of the formula above.
  virtual EpochOutcome distil(const Samples& samples, const Epoch& epoch,
                              const Teaching& teaching) = 0;
  // One step on all samples at once, in their order and without jitter, at the rate of epoch 0.
  // Their mean loss before it; where that isn't finite no step is taken.
  virtual Loss step(const Samples& batch) = 0;

  // These three leave the network as it is, and see it as it works after training: no dropout,
  // batch norms with their running statistics.
  virtual Evaluation evaluate(const Samples& samples) = 0;
  // Of the mean loss, by trained parameter.
  virtual Tensors gradients(const Samples& samples) = 0;
  // Of what each full convolution and linear layer takes from channels that can be pruned.
  virtual InputMoments input_moments(const Samples& samples) = 0;

  // Forgets the running statistics of batch norms and takes the mean of those of all batches.
  virtual void refresh_statistics(const Samples& samples) = 0;

  // What it has learned so far, to the bit: a learner made from it goes on as this one would.
  virtual Network network() const = 0;
};

// Who makes learners: chosen once, where the program starts.
using LearnerFactory = std::function<std::unique_ptr<Learner>(const Network& network)>;

}  // namespace espalier
