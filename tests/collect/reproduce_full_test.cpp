// SPDX-License-Identifier: Apache-2.0
// `reproduce --full` collects before it computes.
#include "collection.h"
#include "experiments/trace_folder.h"

namespace espalier {
namespace {

constexpr const char* kLoopOfGrid = R"(espalier: 1
name: loop
goal: {loss: 1.7, deadline: 1000}
start: {model: L, nodes: gold, loss: 2.3}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 1, energy: 1, learn: {rate: 0.1}}
  - {model: M, nodes: silver, time: 1, energy: 0.5, learn: {rate: 0.1}}
change:
  models: [{from: L, to: M, time: 0.5, energy: 0.2}]
)";

class ReproduceFull : public Collection {
 protected:
  ReproduceFull() { write("loop.yaml", kLoopOfGrid); }

  int reproduce() const {
    const Words words{ESPALIER_PROGRAM, "reproduce",   "fig2",       "fig6",
                      "--full",         "--no-fit",    "--trainer",  FAKE_TRAINER,
                      "--experiments",  "grid.yaml",   "--scenario", "loop.yaml",
                      "--targets",      "1.6:1.8:0.1", "--output",   "out"};
    return start(words)->wait();
  }
};

TEST_F(ReproduceFull, TrainsFirstAndGoesOnWithWhatIsThere) {
  ASSERT_EQ(reproduce(), 0) << err();
  EXPECT_TRUE(says("training for real")) << err();
  EXPECT_TRUE(says("experiments in out/traces")) << err();
  const std::string page = read("out/report.html");
  EXPECT_NE(page.find("fig. 2"), std::string::npos);
  const std::string before = traces("out/traces");
  EXPECT_FALSE(before.empty());
  ASSERT_EQ(reproduce(), 0) << err();
  EXPECT_EQ(traces("out/traces"), before);
  EXPECT_EQ(read("out/report.html"), page);
}

TEST_F(ReproduceFull, EndsAsCollectingDoesWhereItFails) {
  write("grid.yaml", "espalier: 1\n");
  EXPECT_EQ(reproduce(), 4);
  EXPECT_TRUE(says("collecting failed with exit code 4")) << err();
}

TEST_F(ReproduceFull, EndsWithTwoWhereSomebodyElseCollects) {
  const TraceFolder folder(folder_ / "out/traces");
  const FolderLock held(folder);
  EXPECT_EQ(reproduce(), 2);
  EXPECT_TRUE(says("somebody else collects")) << err();
}

}  // namespace
}  // namespace espalier
