// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fakes/clock.h"
#include "fakes/meter.h"
#include "node/node_site.h"
#include "node/worker.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

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

TEST_F(NodeSite, TakesTheFolderOfItsCertificateByEitherName) {
  desk_.give("gold-1", Dismissal{"that was all"});
  AgentProcess node(
      {{ESPALIER_TRAINER, "node", "--orchestrator", address_, "--data", kImagesForNodes, "--cert",
        certificate_of("gold-1").string(), "--work", (folder_ / "work").string()},
       log_of("gold-1")});
  EXPECT_EQ(exit_code_of(node), 0) << said_by("gold-1");
  EXPECT_EQ(desk_.hellos("gold-1").size(), 1U);
}

}  // namespace
}  // namespace espalier
