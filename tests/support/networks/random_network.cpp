// SPDX-License-Identifier: Apache-2.0
#include "support/networks/random_network.h"

#include <cmath>
#include <random>
#include <string>

#include "networks/network_builder.h"
#include "networks/parameters.h"
#include "networks/shapes.h"

namespace espalier::support {
namespace {

// Draws that are the same on every machine, unlike the distributions of the standard library.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  int64_t between(int64_t least, int64_t most) {
    return least + static_cast<int64_t>(engine_() % static_cast<uint64_t>(most - least + 1));
  }
  bool chance(int64_t percent) { return between(1, 100) <= percent; }
  double within(double least, double most) {
    return least + (most - least) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

 private:
  std::mt19937_64 engine_;
};

class RandomArchitecture {
 public:
  explicit RandomArchitecture(uint64_t seed)
      : dice_(seed),
        net_("random", {dice_.between(1, 3), dice_.between(5, 12), dice_.between(5, 12)}) {}

  Architecture build() && {
    for (int64_t blocks = dice_.between(1, 6); blocks > 0; --blocks) add_block();
    if (dice_.chance(30)) net_.add(name("average"), GlobalAverage{});
    net_.add(name("flatten"), Flatten{});
    for (int64_t hidden = dice_.between(0, 2); hidden > 0; --hidden) add_hidden();
    net_.add(name("classifier"), Linear{.out = dice_.between(2, 5), .bias = dice_.chance(50)});
    return std::move(net_).build();
  }

 private:
  std::string name(const std::string& what) { return what + std::to_string(++count_); }

  void add_block() {
    switch (dice_.between(0, 4)) {
      case 0:
        return net_.halve(name("pool"));
      case 1:
        return add_residual();
      case 2:
        return add_convolution({.stride = dice_.between(1, 2), .depthwise = true});
      default:
        return add_convolution({.out = dice_.between(1, 9), .stride = dice_.between(1, 2)});
    }
  }
  void add_convolution(Convolution convolution) {
    convolution.bias = dice_.chance(50);
    net_.add(name("conv"), convolution);
    if (dice_.chance(60)) net_.add(name("norm"), BatchNorm{});
    if (dice_.chance(60)) net_.add(name("relu"), Relu{.ceiling = dice_.chance(30) ? 6.0 : 0.0});
  }
  // input + branch(input), or projection(input) + branch(input)
  void add_residual() {
    const LayerId input = net_.newest();
    const bool projects = dice_.chance(40);
    const int64_t channels = projects ? dice_.between(1, 9) : net_.shape().channels;
    add_convolution({.out = dice_.between(1, 9), .kernel = 1, .padding = 0});
    if (dice_.chance(40)) add_convolution({.depthwise = true});
    const LayerId branch = net_.add(name("conv"), Convolution{.out = channels});
    const Convolution projection{.out = channels, .kernel = 1, .padding = 0, .bias = true};
    const LayerId shortcut = projects ? net_.add(name("shortcut"), projection, {input}) : input;
    net_.add(name("add"), Add{}, {branch, shortcut});
  }
  void add_hidden() {
    net_.add(name("hidden"), Linear{.out = dice_.between(1, 12)});
    net_.add(name("relu"), Relu{});
    if (dice_.chance(50)) net_.add(name("dropout"), Dropout{});
  }

  Dice dice_;
  NetworkBuilder net_;
  int count_ = 0;
};

// Weights have several dimensions; of the rest, what must be positive is about 1.
float random_value(const Parameter& parameter, Dice& dice) {
  if (parameter.shape.size() > 1) {
    const auto seen = static_cast<double>(parameter.values() / parameter.shape.front());
    const double bound = std::sqrt(6.0 / seen);
    return static_cast<float>(dice.within(-bound, bound));
  }
  const bool positive = parameter.name.ends_with(".weight") || parameter.name.ends_with("var");
  return static_cast<float>(positive ? dice.within(0.5, 1.5) : dice.within(-0.5, 0.5));
}

Tensor random_tensor(const Parameter& parameter, Dice& dice) {
  Tensor tensor{parameter.shape, std::vector<float>(static_cast<std::size_t>(parameter.values()))};
  for (float& value : tensor.values) value = random_value(parameter, dice);
  return tensor;
}

}  // namespace

Architecture random_architecture(uint64_t seed) { return RandomArchitecture(seed).build(); }

Network random_network(const Architecture& architecture, uint64_t seed) {
  Dice dice(seed);
  Network network{architecture, {}, {}};
  for (const Parameter& parameter : parameters_of(architecture)) {
    network.weights[parameter.name] = random_tensor(parameter, dice);
    if (parameter.kind != ParameterKind::Trained) continue;
    network.momentum[parameter.name] = random_tensor(parameter, dice);
  }
  return network;
}

std::vector<float> random_image(const ImageShape& shape, uint64_t seed) {
  Dice dice(seed);
  std::vector<float> image(static_cast<std::size_t>(shape_of(shape).values()));
  for (float& value : image) value = static_cast<float>(dice.within(-1, 1));
  return image;
}

}  // namespace espalier::support
