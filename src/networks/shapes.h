// SPDX-License-Identifier: Apache-2.0
// What each layer of an architecture gives for one image.
#pragma once

#include <cstdint>
#include <vector>

#include "networks/architecture.h"

namespace espalier {

// Maps of height × width per channel, or, after Flatten, one row of `channels` values.
struct FeatureShape {
  int64_t channels = 0;
  int64_t height = 1;
  int64_t width = 1;
  bool is_flat = false;

  int64_t pixels() const { return height * width; }
  int64_t values() const { return channels * pixels(); }
  friend bool operator==(const FeatureShape&, const FeatureShape&) = default;
};

FeatureShape shape_of(const ImageShape& image);

// What `layer` makes of its inputs. Throws Error{BadInput}, with the layer's name, where it cannot
// take them or exceeds a limit. REQUIRES: as many inputs as the layer has.
FeatureShape output_shape(const Layer& layer, const std::vector<FeatureShape>& inputs);

// Immutable.
class Shapes {
 public:
  // Throws Error{BadInput}, with the layer's name, where a layer cannot take its inputs.
  explicit Shapes(const Architecture& architecture);

  // What a layer gives; the image itself for kImage.
  const FeatureShape& after(LayerId layer) const;
  // What a layer takes: its first input.
  const FeatureShape& before(const Layer& layer) const { return after(layer.inputs.front()); }

 private:
  std::vector<FeatureShape> shapes_;  // the image, then one per layer
};

}  // namespace espalier
