// SPDX-License-Identifier: Apache-2.0
// A laboratory that trains nothing: every figure follows from what was done, and nothing takes
// long.
#pragma once

#include <bit>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "experiments/laboratory.h"
#include "experiments/network_format.h"
#include "io/durable_write.h"

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

  Changed prune(Network network, const Situation& at, double ratio) override {
    return changed(mixed(mixed(state(network), stamp(at)), std::bit_cast<std::uint64_t>(ratio)),
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
    Tensor tensor{{static_cast<std::int64_t>(4 + options_.padding)}, {}};
    for (int i = 0; i < 4; ++i)
      tensor.values.push_back(static_cast<float>((state >> (16 * i)) & 0xFFFF));
    tensor.values.resize(4 + options_.padding, 0.0F);
    return {{}, {{"state", std::move(tensor)}}, {}};
  }

  static std::uint64_t state(const Network& network) {
    std::uint64_t all = 0;
    const auto& values = network.weights.at("state").values;
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

// Numbers as text.
class FakeFormat final : public NetworkFormat {
 public:
  void save(const Network& network, const std::filesystem::path& path) const override {
    std::ostringstream text;
    text.precision(9);
    for (const float value : network.weights.at("state").values) text << value << "\n";
    write_durably(path, text.str());
  }

  Network load(const std::filesystem::path& path) const override {
    std::ifstream file(path);
    Tensor tensor;
    for (float value = 0; file >> value;) tensor.values.push_back(value);
    if (tensor.values.size() < 4)
      throw Error(ErrorCode::BadInput, path.string() + ": no such network", "a fake cannot help");
    tensor.shape = {static_cast<std::int64_t>(tensor.values.size())};
    return {{}, {{"state", std::move(tensor)}}, {}};
  }
};

}  // namespace espalier
