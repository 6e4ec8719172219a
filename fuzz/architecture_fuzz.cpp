// SPDX-License-Identifier: Apache-2.0
// Any bytes as an architecture: no crash, no overflow, and what is valid survives the round trip,
// can be counted, grouped and pruned.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/error.h"
#include "io/architecture_json.h"
#include "networks/channel_budget.h"
#include "networks/cost.h"
#include "networks/network_builder.h"
#include "networks/validation.h"
#include "sound_start.h"

namespace {

// One layer of each kind.
std::string small_architecture() {
  using namespace espalier;
  NetworkBuilder net("small", {1, 8, 8});
  const LayerId first = net.convolution_norm("c", {.out = 2});
  net.add("d", Convolution{.depthwise = true});
  net.add("r", Relu{});
  net.add("a", Add{}, {net.newest(), first});
  net.add("p", MaxPool{});
  net.add("g", GlobalAverage{});
  net.add("f", Flatten{});
  net.add("o", Dropout{});
  net.add("l", Linear{.out = 2});
  return to_json(std::move(net).build());
}

void check_sound(const espalier::Architecture& architecture) {
  using namespace espalier;
  if (architecture_from_json(to_json(architecture), "again") != architecture) std::abort();
  const Cost full = cost_of(architecture);
  const Architecture pruned = pruned_architecture(architecture, {.ratio = 0.5});
  validate(pruned);
  const Cost smaller = cost_of(pruned);
  const bool falls = smaller.parameters <= full.parameters && smaller.flops <= full.flops;
  if (!falls || smaller.flops < 0) std::abort();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t most, unsigned /*seed*/) {
  static const std::string sound = small_architecture();
  return mutate_sound(sound, bytes, size, most);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace espalier;
  std::optional<Architecture> architecture;
  try {
    architecture =
        architecture_from_json({reinterpret_cast<const char*>(bytes), size}, "fuzz.json");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::BadInput) std::abort();
  }
  if (architecture) check_sound(*architecture);
  return 0;
}
