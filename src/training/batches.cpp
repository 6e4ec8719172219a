// SPDX-License-Identifier: Apache-2.0
#include "training/batches.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/error.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

// What is drawn from the seed of a learner, apart from one another.
enum Stream : uint64_t { kOrder = 1, kPose = 2 };

uint64_t draw(uint64_t seed, int epoch, Stream stream, uint64_t index) {
  return CounterRng(seed).bits({static_cast<uint64_t>(epoch), stream, index});
}

// 0 … bound − 1, from the upper half of random bits. The bias is below bound / 2^32.
uint32_t scaled(uint64_t bits, uint64_t bound) {
  return static_cast<uint32_t>(((bits >> 32U) * bound) >> 32U);
}

std::array<float, 256> levels_of(const PixelScale& scale) {
  std::array<float, 256> levels{};
  for (std::size_t byte = 0; byte < levels.size(); ++byte) {
    levels[byte] =
        static_cast<float>((static_cast<double>(byte) / 255 - scale.mean) / scale.deviation);
  }
  return levels;
}

std::vector<PixelScale> scales_of(const LearnerOptions& options, const ImageShape& shape) {
  const auto channels = static_cast<std::size_t>(shape.channels);
  if (options.scales.empty()) return std::vector<PixelScale>(channels);
  if (options.scales.size() == channels) return options.scales;
  throw Error(ErrorCode::BadInput,
              "learner: there are " + std::to_string(options.scales.size()) +
                  " scales of pixels for " + std::to_string(channels) + " channels",
              "give one for each channel, or none");
}

// One channel of an image, written to every `stride`th float.
struct Plane {
  const uint8_t* bytes;
  int64_t height;
  int64_t width;
  int64_t stride;

  template <class Levels>
  void copy(const Levels& levels, float* out) const {
    for (int64_t i = 0; i < height * width; ++i) out[i * stride] = levels[bytes[i]];
  }

  template <class Levels>
  void copy_posed(const Levels& levels, const Pose& pose, float* out) const {
    for (int64_t row = 0; row < height; ++row) {
      for (int64_t column = 0; column < width; ++column, out += stride) {
        const int64_t y = row - pose.down;
        const int64_t x = (pose.is_mirrored ? width - 1 - column : column) - pose.right;
        const bool is_inside = y >= 0 && y < height && x >= 0 && x < width;
        *out = levels[is_inside ? bytes[y * width + x] : 0];
      }
    }
  }
};

bool is_upright(const Pose& pose) { return pose.down == 0 && pose.right == 0 && !pose.is_mirrored; }

}  // namespace

std::vector<uint32_t> epoch_order(uint64_t seed, int epoch, std::size_t count) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[scaled(draw(seed, epoch, kOrder, left), left)]);
  }
  return order;
}

std::vector<std::span<const uint32_t>> cut_into_batches(std::span<const uint32_t> order,
                                                        std::size_t batch) {
  std::vector<std::span<const uint32_t>> batches;
  while (!order.empty()) {
    const bool leaves_one = order.size() == batch + 1;
    const std::size_t size = leaves_one ? order.size() : std::min(batch, order.size());
    batches.push_back(order.first(size));
    order = order.subspan(size);
  }
  return batches;
}

Pose pose_of(const LearnerOptions& options, int epoch, uint32_t position) {
  if (options.jitter == 0) return {};
  const auto choices = static_cast<uint64_t>(options.jitter) * 2 + 1;
  const auto shift = [&](uint64_t which) {
    const uint64_t bits = draw(options.seed, epoch, kPose, uint64_t{position} * 3 + which);
    return static_cast<int>(scaled(bits, choices)) - options.jitter;
  };
  const uint64_t coin = draw(options.seed, epoch, kPose, uint64_t{position} * 3 + 2);
  return {.down = shift(0), .right = shift(1), .is_mirrored = coin >> 63U != 0};
}

BatchMaker::BatchMaker(const LearnerOptions& options, const ImageShape& shape)
    : options_(options), shape_(shape) {
  for (const PixelScale& scale : scales_of(options, shape)) levels_.push_back(levels_of(scale));
}

const Batch& BatchMaker::pose(const Samples& samples, std::span<const uint32_t> positions,
                              int epoch) {
  resize(positions.size());
  for (std::size_t slot = 0; slot < positions.size(); ++slot) {
    append(samples, positions, slot, pose_of(options_, epoch, positions[slot]));
  }
  return batch_;
}

const Batch& BatchMaker::plain(const Samples& samples, std::span<const uint32_t> positions) {
  resize(positions.size());
  for (std::size_t slot = 0; slot < positions.size(); ++slot) append(samples, positions, slot, {});
  return batch_;
}

void BatchMaker::resize(std::size_t images) {
  const int64_t values = shape_.channels * shape_.height * shape_.width;
  batch_.pixels.resize(images * static_cast<std::size_t>(values));
  batch_.labels.resize(images);
}

void BatchMaker::append(const Samples& samples, std::span<const uint32_t> positions,
                        std::size_t slot, const Pose& pose) {
  const std::span<const uint8_t> bytes = samples.pixels(positions[slot]);
  const int64_t area = shape_.height * shape_.width;
  float* const out = batch_.pixels.data() + slot * bytes.size();
  for (int64_t channel = 0; channel < shape_.channels; ++channel) {
    const Plane plane{bytes.data() + channel * area, shape_.height, shape_.width, shape_.channels};
    const Levels& levels = levels_[static_cast<std::size_t>(channel)];
    if (is_upright(pose)) {
      plane.copy(levels, out + channel);
    } else {
      plane.copy_posed(levels, pose, out + channel);
    }
  }
  batch_.labels[slot] = samples.label(positions[slot]);
}

}  // namespace espalier
