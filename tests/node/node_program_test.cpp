// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fakes/clock.h"
#include "fakes/meter.h"
#include "net/relay.h"
#include "node/node_site.h"
#include "node/worker.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

constexpr std::uint64_t kBytesPerImage = 3 * 32 * 32;

TEST_F(NodeSite, TrainsToTheBitAsThisProcessWould) {
  const Task train = task(3, {.local_epochs = 2});
  Task look = task(3);
  look.id.round = 2;
  look.work = EvaluateWork{40};
  Task prune = task(4);
  prune.work = PruneWork{.network = "vgg11", .width = 0.05, .gone = 0.5, .round_to = 8};
  for (const Task& one : {train, look, prune}) desk_.give("gold-1", one);
  desk_.give("gold-1", Dismissal{"that was all"});
  AgentProcess node = start("gold-1", {"--nodes", "gold", "--samples", "1/2"});
  EXPECT_EQ(exit_code_of(node), 0) << said_by("gold-1");

  const OwnData data = open_own_data(kImagesForNodes, {1, 2, 0}, {});
  const fakes::FakeClock clock;
  fakes::FakeMeter meter;
  const Worker here(data, {torch_learners, {meter, meter}, clock});
  ASSERT_EQ(desk_.results().size(), 3U) << said_by("gold-1");
  for (const Task& one : {train, look, prune}) {
    const auto result = result_of(one);
    const auto expected = here.work(one, network(), {});
    EXPECT_EQ(result->end, TaskEnd::Finished) << result->message;
    EXPECT_EQ(result->loss, expected->result.loss);
    EXPECT_EQ(result->samples, expected->result.samples);
    EXPECT_FALSE(result->energy.source.empty());
    ASSERT_EQ(result->update.has_value(), expected->update.has_value());
    if (expected->update) {
      EXPECT_EQ(update_of(*result), *expected->update);
    }
  }
  ASSERT_EQ(desk_.hellos("gold-1").size(), 1U);
  const Hello hello = desk_.hellos("gold-1")[0];
  EXPECT_EQ(hello.nodes, "gold");
  EXPECT_EQ(hello.samples, static_cast<std::int64_t>(data.images.size()));
  EXPECT_EQ(hello.classes, 4);
  EXPECT_EQ(hello.channels, 3);
}

// The relay, which counts, is the only address that it knows.
TEST_F(NodeSite, SendsUpdatesAndFiguresAndNoImages) {
  constexpr std::uint64_t kBesideAnUpdate = std::uint64_t{64} << 10U;
  constexpr std::uint64_t kHeartbeat = 512;
  Relay relay(std::stoi(address_.substr(address_.rfind(':') + 1)));
  AgentProcess node =
      start("gold-1", {"--orchestrator", relay.address(), "--data", "synthetic:4x1000"});
  ASSERT_TRUE(comes_true([&] { return desk_.is_alive("gold-1"); })) << said_by("gold-1");
  const auto images = static_cast<std::uint64_t>(desk_.hellos("gold-1")[0].samples);
  Task look = task(1);
  look.work = EvaluateWork{};
  Task prune = task(2);
  prune.work = PruneWork{.network = "vgg11", .width = 0.05, .gone = 0.5, .round_to = 8};
  std::uint64_t before = 0;
  std::uint64_t heartbeats_before = 0;
  for (const Task& one : {task(0), look, prune}) {
    desk_.give("gold-1", one);
    const auto result = result_of(one);
    ASSERT_TRUE(result) << said_by("gold-1");
    ASSERT_EQ(result->end, TaskEnd::Finished) << result->message;
    const std::uint64_t update = result->update ? result->update->size : 0;
    const std::uint64_t sent = relay.sent() - before;
    const std::uint64_t heartbeats = desk_.heartbeats() - heartbeats_before;
    EXPECT_LE(sent, update + kBesideAnUpdate + heartbeats * kHeartbeat) << one.id.epoch;
    EXPECT_GT(images * kBytesPerImage, 20 * (update + kBesideAnUpdate)) << "or it shows nothing";
    before += sent;
    heartbeats_before += heartbeats;
  }
  EXPECT_LT(relay.sent(), images * kBytesPerImage / 10);
}

TEST_F(NodeSite, TakesTheFolderOfItsCertificateByEitherName) {
  desk_.give("gold-1", Dismissal{"that was all"});
  AgentProcess node(
      {{ESPALIER_TRAINER, "node", "--orchestrator", address_, "--data", kImagesForNodes, "--cert",
        certificate_of("gold-1").string(), "--work", (folder_ / "work").string()},
       log_of("gold-1")});
  EXPECT_EQ(exit_code_of(node), 0) << said_by("gold-1");
  EXPECT_EQ(desk_.hellos("gold-1").size(), 1U);
}

TEST_F(NodeSite, KeepsNoMoreNetworksThanItsCacheHasRoomFor) {
  constexpr std::uint64_t kRoom = std::uint64_t{1} << 20U;
  const Architecture architecture = build_network("vgg11", {0.1, 4, {3, 32, 32}});
  std::uint64_t given = 0;
  Task look = task(0);
  look.work = EvaluateWork{4};
  AgentProcess node = start("gold-1", {"--cache", "1"});
  for (int epoch = 0; epoch < 6; ++epoch) {
    look.id.epoch = epoch;
    look.network = put(model_bytes(fresh_network(architecture, 10 + epoch)));
    given += look.network.size;
    ASSERT_LT(look.network.size, kRoom);
    desk_.give("gold-1", look);
    ASSERT_TRUE(result_of(look)) << said_by("gold-1");
  }
  ASSERT_GT(given, kRoom) << "or it shows nothing";
  std::uint64_t kept = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_ / "work-gold-1"))
    if (file.is_regular_file()) kept += file.file_size();
  EXPECT_LE(kept, kRoom);
  EXPECT_GE(kept, look.network.size) << "the newest is there";
}

}  // namespace
}  // namespace espalier
