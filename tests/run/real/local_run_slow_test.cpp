// SPDX-License-Identifier: Apache-2.0
// Runs on one machine that really train, and are killed on the way.
#include <csignal>

#include "local_run_site.h"
#include "support/text.h"

namespace espalier {
namespace {

class KilledLocalRun : public LocalRunSite {
 protected:
  // Whether it came to that moment; then it has ended as the one in "undisturbed" did.
  bool ends_the_same(const std::string& moment, const std::vector<std::string>& more) {
    folder.remove("killed");
    const int code = run("killed", more, {"ESPALIER_CRASH_AT=" + moment});
    if (code == 0) return false;
    EXPECT_EQ(code, 128 + SIGKILL) << moment << said();
    EXPECT_EQ(start({"resume", "killed"}), 0) << moment << said();
    EXPECT_EQ(metrics("killed"), metrics("undisturbed")) << moment;
    return true;
  }
  // Moments all over the run, the last one behind the switch.
  void expect_the_same_end_wherever_killed(const std::vector<std::string>& more) {
    ASSERT_EQ(run("undisturbed", more), 0) << said();
    ASSERT_EQ(epochs("undisturbed").back().at("model"), "M") << metrics("undisturbed");
    int kills = 0;
    while (kills < 20 && ends_the_same("after:" + std::to_string(9 + 7 * kills), more)) ++kills;
    EXPECT_GE(kills, 4);
    EXPECT_TRUE(ends_the_same("checkpoint:2", more));
  }
};

TEST_F(KilledLocalRun, EndsTheSameWhenResumed) { expect_the_same_end_wherever_killed({}); }

TEST_F(KilledLocalRun, EndsTheSameWhenItDistils) {
  expect_the_same_end_wherever_killed({"--distil", "1"});
}

// The network of the moment before the switch is to be had, and is the larger one.
TEST_F(KilledLocalRun, HasTheLargerNetworkBeforeItSwitches) {
  ASSERT_EQ(run("here", {}, {"ESPALIER_CRASH_AT=checkpoint:2"}), 128 + SIGKILL) << said();
  ASSERT_EQ(export_model("here", "before.safetensors"), 0) << said();
  ASSERT_TRUE(contains(said(), "L on gold after epoch 1")) << said();
  ASSERT_EQ(start({"resume", "here"}), 0) << said();
  ASSERT_EQ(export_model("here", "after.safetensors"), 0) << said();
  EXPECT_LT(values_in(load_model(folder / "after.safetensors")),
            values_in(load_model(folder / "before.safetensors")));
}

}  // namespace
}  // namespace espalier
