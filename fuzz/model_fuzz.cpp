// SPDX-License-Identifier: Apache-2.0
// Any bytes as a model: no crash, bounded memory, and a sound model survives the round trip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.h"
#include "io/model_file.h"
#include "networks/network_builder.h"
#include "networks/parameters.h"
#include "sound_start.h"

namespace {

std::string small_model() {
  using namespace espalier;
  NetworkBuilder net("small", {1, 2, 2});
  const LayerId first = net.convolution_norm("conv", {.out = 2});
  net.add("add", Add{}, {first, first});
  net.add("flatten", Flatten{});
  net.add("classifier", Linear{.out = 2});
  Network network{std::move(net).build(), {}, {}};
  network.weights = blank_weights(network.architecture);
  network.momentum["conv.weight"] = network.weights["conv.weight"];
  return model_bytes(network);
}

void check_sound(const espalier::Network& network) {
  const std::string bytes = espalier::model_bytes(network);
  if (espalier::model_bytes(espalier::model_from_bytes(bytes, "again")) != bytes) std::abort();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned /*seed*/) {
  static const std::string sound = small_model();
  return mutate_sound(sound, bytes, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace espalier;
  std::optional<Network> network;
  try {
    network = model_from_bytes({reinterpret_cast<const char*>(bytes), size}, "fuzz.safetensors");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::BadInput) std::abort();
  }
  if (network) check_sound(*network);
  return 0;
}
