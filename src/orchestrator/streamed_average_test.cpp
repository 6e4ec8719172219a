// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/streamed_average.h"

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "support/temporary_folder.h"
#include "training/fedavg.h"

namespace espalier {
namespace {

Network member_network(std::uint64_t seed, bool has_momentum) {
  Network network = fresh_network(build_network("vgg11", {0.02, 10, {1, 32, 32}}), seed);
  if (!has_momentum) return network;
  for (const auto& [name, tensor] : network.weights)
    if (name.ends_with(".weight") && !name.ends_with("norm.weight"))
      network.momentum[name] = tensor;
  return network;
}

TEST(StreamedAverage, IsThatOfAllAtOnceToTheBit) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  std::vector<Contribution> whole;
  std::vector<UpdateToCombine> streamed;
  for (int i = 0; i < 5; ++i) {
    // One of them has not taken a step yet.
    whole.push_back({member_network(static_cast<std::uint64_t>(i + 1), i != 2), 100.0 + 37 * i});
    streamed.push_back({{"node-" + std::to_string(i)},
                        put_network(store, whole.back().network),
                        whole.back().weight});
  }
  EXPECT_EQ(average_of(store, streamed), average(whole));
}

TEST(StreamedAverage, OfOneIsThatOne) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Network network = member_network(3, true);
  const ObjectRef object = put_network(store, network);
  EXPECT_EQ(put_network(store, average_of(store, {{{"a"}, object, 7}})), object);
}

TEST(StreamedAverage, FindsNoFaultInSoundUpdates) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Network network = member_network(3, true);
  EXPECT_EQ(fault_of_update(store, put_network(store, network), network.architecture), "");
}

}  // namespace
}  // namespace espalier
