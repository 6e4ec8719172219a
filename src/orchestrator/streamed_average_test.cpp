// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/streamed_average.h"

#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "io/model_file.h"
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
  EXPECT_EQ(put_average(store, streamed, folder.path()), object_of(model_bytes(average(whole))));
}

TEST(StreamedAverage, OfTensorsThatAreReadInPieces) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Architecture wide = build_network("vgg11", {0.3, 10, {1, 32, 32}});
  std::vector<Contribution> whole;
  std::vector<UpdateToCombine> streamed;
  for (int i = 0; i < 3; ++i) {
    whole.push_back({fresh_network(wide, static_cast<std::uint64_t>(i + 1)), 10.0 + 7 * i});
    streamed.push_back({{"node-" + std::to_string(i)},
                        put_network(store, whole.back().network),
                        whole.back().weight});
  }
  const ObjectRef mean = put_average(store, streamed, folder.path());
  EXPECT_EQ(mean, object_of(model_bytes(average(whole))));
  EXPECT_EQ(stored_network(store, mean, "the mean"), average(whole));
}

TEST(StreamedAverage, LeavesNothingElseBehind) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder.path());
  const ObjectRef update = put_network(store, member_network(3, true));
  const ObjectRef other = put_network(store, member_network(4, true));
  put_average(store, {{{"a"}, update, 1}, {{"b"}, other, 1}}, folder.path());
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 3) << "two updates and their mean";
}

TEST(StreamedAverage, OfOneIsThatOne) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Network network = member_network(3, true);
  const ObjectRef object = put_network(store, network);
  EXPECT_EQ(put_average(store, {{{"a"}, object, 7}}, folder.path()), object);
}

TEST(StreamedAverage, FindsDamageInUpdates) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Network network = member_network(3, true);
  std::string bytes = model_bytes(network);
  bytes[bytes.size() - 3] ^= 1;
  EXPECT_NE(fault_of_update(store, store.add(bytes), network.architecture).find("damaged"),
            std::string::npos);
}

TEST(StreamedAverage, FindsTheFaultsOfSeveralUpdates) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Network network = member_network(3, true);
  const ObjectRef sound = put_network(store, network);
  const ObjectRef absent{std::string(64, 'a'), 7};
  const auto faults = faults_of_updates(store, {sound, absent, sound}, network.architecture);
  EXPECT_EQ(faults, (std::vector<std::string>{"", "its update is not there", ""}));
}

TEST(StreamedAverage, FindsNoFaultInSoundUpdates) {
  const TemporaryFolder folder(fakes::quick_folder());
  FileObjectStore store(folder / "objects");
  const Network network = member_network(3, true);
  EXPECT_EQ(fault_of_update(store, put_network(store, network), network.architecture), "");
}

}  // namespace
}  // namespace espalier
