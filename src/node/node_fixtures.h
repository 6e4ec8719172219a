// SPDX-License-Identifier: Apache-2.0
// What tests of this folder share: a small network, and images for it.
#pragma once

#include "fakes/clock.h"
#include "fakes/meter.h"
#include "networks/network_catalogue.h"
#include "node/worker.h"
#include "training/fresh_weights.h"

namespace espalier {

inline Network small_network() {
  return fresh_network(build_network("vgg11", {0.03, 4, {1, 32, 32}}), 1);
}

// Labels and pixels that differ from image to image.
inline OwnData some_images(std::size_t count, int first = 0) {
  OwnData data{"made up", {1, 32, 32, {}, {}}, 4};
  data.images.pixels.resize(count * data.images.bytes_per_image());
  for (std::size_t i = 0; i < count; ++i) {
    data.images.labels.push_back(static_cast<uint16_t>((i + static_cast<std::size_t>(first)) % 4));
    data.images.pixels[i * data.images.bytes_per_image()] =
        static_cast<uint8_t>(7 * i + static_cast<std::size_t>(first));
  }
  return data;
}

inline Task task_of(std::variant<TrainWork, EvaluateWork, PruneWork> work, int epoch = 2) {
  Task task;
  task.id = {"run", epoch, 1, 0};
  task.learning.learning_rate = 0.01;
  task.learning.seed = 5;
  task.work = std::move(work);
  return task;
}

struct FakeMeters {
  fakes::FakeMeter best;
  fakes::FakeMeter modelled{{{}, Provenance::Modelled, "model"}};
  NodeMeters both() { return {best, modelled}; }
};

}  // namespace espalier
