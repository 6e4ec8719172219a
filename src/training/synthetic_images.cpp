// SPDX-License-Identifier: Apache-2.0
#include "training/synthetic_images.h"

#include "realisations/rng.h"

namespace espalier {

Images noise_images(std::size_t count, const ImageShape& shape, int classes, uint64_t seed) {
  const CounterRng rng(seed);
  Images images{static_cast<int>(shape.channels),
                static_cast<int>(shape.height),
                static_cast<int>(shape.width),
                {},
                {}};
  images.pixels.resize(count * images.bytes_per_image());
  for (std::size_t i = 0; i < images.pixels.size(); ++i) {
    images.pixels[i] = static_cast<uint8_t>(rng.bits({0, 1, i}) >> 56U);
  }
  for (std::size_t n = 0; n < count; ++n) {
    images.labels.push_back(
        static_cast<uint16_t>(rng.bits({0, 2, n}) % static_cast<uint64_t>(classes)));
  }
  return images;
}

Images striped_images(std::size_t count, const ImageShape& shape, int classes, uint64_t seed) {
  Images images = noise_images(count, shape, classes, seed);
  const auto width = static_cast<std::size_t>(shape.width);
  const auto rows = static_cast<std::size_t>(shape.channels * shape.height);
  for (std::size_t i = 0; i < images.pixels.size(); ++i) {
    const std::size_t row = i / width % rows;
    const bool is_bright =
        row % static_cast<std::size_t>(classes) == images.labels[i / width / rows];
    images.pixels[i] = static_cast<uint8_t>(images.pixels[i] / 2 + (is_bright ? 128 : 0));
  }
  return images;
}

}  // namespace espalier
