// SPDX-License-Identifier: Apache-2.0
// A laboratory that trains nothing: every figure follows from what was done, and nothing takes
// long.
#pragma once

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "experiments/laboratory.h"

namespace espalier {

// A chain of hashes stands for the weights: whoever does other things, or the same in another
// order, gets others.
class FakeLaboratory final : public Laboratory {
 public:
  struct Options {
    std::chrono::microseconds epoch{0};                    // how long one takes
    std::size_t padding = 0;                               // values that make the network larger
    int diverges_after = std::numeric_limits<int>::max();  // epochs
  };
  explicit FakeLaboratory(const Options& options) : options_(options) {}

  Network fresh(std::uint64_t seed) override { return network(mixed(seed, 1)); }

  Observed arrive(const Network& network, const Situation& at,
                  std::optional<NodeSetId> from) override {
    const auto way = static_cast<std::uint64_t>(from ? from->index + 2 : 1);
    return observed(mixed(mixed(state(network), way), stamp(at)), at.epoch);
  }

  Changed train(Network network, const Situation& at) override {
    std::this_thread::sleep_for(options_.epoch);
    return changed(mixed(state(network), stamp(at)), at.epoch + 1);
  }

  Changed prune(Network network, const Situation& at, double gone) override {
    return changed(mixed(mixed(state(network), stamp(at)), std::bit_cast<std::uint64_t>(gone)),
                   at.epoch);
  }

 private:
  static std::uint64_t mixed(std::uint64_t state, std::uint64_t with) {
    std::uint64_t z = state * 0x9E3779B97F4A7C15ULL + with + 0x632BE59BD9B4E019ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  static std::uint64_t stamp(const Situation& at) {
    return mixed(mixed(at.seed, static_cast<std::uint64_t>(at.nodes.index)),
                 static_cast<std::uint64_t>(at.epoch));
  }

  Network network(std::uint64_t state) const {
    const auto outputs = static_cast<std::int64_t>(4 + options_.padding);
    Network made{{"fake", {1, 1, 1}, {}}, {}, {}};
    made.architecture.layers = {{"flatten", Flatten{}, {kImage}},
                                {"state", Linear{.out = outputs, .bias = false}, {{0}}}};
    Tensor tensor{{outputs, 1}, {}};
    for (int i = 0; i < 4; ++i)
      tensor.values.push_back(static_cast<float>((state >> (16 * i)) & 0xFFFF));
    tensor.values.resize(4 + options_.padding, 0.0F);
    made.weights["state.weight"] = std::move(tensor);
    return made;
  }

  static std::uint64_t state(const Network& network) {
    std::uint64_t all = 0;
    const auto& values = network.weights.at("state.weight").values;
    for (std::size_t i = 0; i < 4; ++i) all |= static_cast<std::uint64_t>(values[i]) << (16 * i);
    return all;
  }

  Observed observed(std::uint64_t state, int epochs) const {
    const double luck = static_cast<double>(state >> 11) * 0x1p-53;
    const double loss = 2.3 / (1 + 0.1 * epochs) + 0.1 * luck;
    const bool diverges = epochs > options_.diverges_after;
    return {{{diverges ? std::nan("") : loss}, {loss * 1.1}},
            {{0.5 + luck}, {2 + luck}, Provenance::Modelled, "nothing: a fake"}};
  }

  Changed changed(std::uint64_t state, int epochs) const {
    const Observed found = observed(state, epochs);
    return {network(state), found.losses, found.cost};
  }

  const Options options_;
};

}  // namespace espalier
