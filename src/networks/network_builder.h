// SPDX-License-Identifier: Apache-2.0
// Puts an architecture together, layer after layer.
#pragma once

#include <string>
#include <vector>

#include "networks/architecture.h"
#include "networks/shapes.h"

namespace espalier {

// What a catalogue's network is to look like.
struct NetworkOptions {
  // Factor on all channels of the published network; from 0.01 to 4.
  double width = 1;
  // From 2 to 65,536.
  int64_t classes = 10;
  // The networks are meant for about 32×32 pixels.
  ImageShape input = {};
};

// Throws Error{BadInput} where a field is out of its bounds.
void check(const NetworkOptions& options);

// `channels` times `width`, as a multiple of 8, at least 8 and never less than 90 % of the product.
int64_t scaled_channels(int64_t channels, double width);

// Each function adds one layer behind the newest one, unless told where else, and returns it.
// Owned by one thread.
class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, const ImageShape& input);

  LayerId add(const std::string& name, LayerKind kind);
  LayerId add(const std::string& name, LayerKind kind, std::vector<LayerId> inputs);

  // NAME and NAME_norm: a convolution without bias, and its batch norm.
  LayerId convolution_norm(const std::string& name, const Convolution& convolution);
  LayerId convolution_norm(const std::string& name, const Convolution& convolution, LayerId input);
  // Halves height and width; left out where fewer than two rows or columns are left.
  void halve(const std::string& name);

  LayerId newest() const { return {static_cast<int>(architecture_.layers.size()) - 1}; }
  const FeatureShape& shape() const { return shapes_.back(); }  // of the newest layer

  // Throws Error{BadInput} as validate(Architecture) does.
  Architecture build() &&;

 private:
  Architecture architecture_;
  std::vector<FeatureShape> shapes_;  // the image, then one per layer
};

}  // namespace espalier
