// SPDX-License-Identifier: Apache-2.0
// Runs that believe estimators, anew after every epoch. Nobody fitted these: it is not about how
// good they are.
#include "estimation/forecaster_file.h"
#include "estimation/random_estimators.h"
#include "run_site.h"

namespace espalier {
namespace {

class FittedRun : public RunSite {
 protected:
  FittedRun() {
    folder.write("e.fitted", estimator_bytes({.run = support::random_run_network(1),
                                              .change = support::random_change_network(2),
                                              .calibration = tuning_tensors({}),
                                              .origin = "a test"}));
  }
  std::vector<std::string> fitted_words(const std::string& output) const {
    return run_words(output, {"--fitted", "e.fitted", "--anyway"});
  }
  // The stages of every plan: what was believed each time.
  std::string plans(const std::string& name) const {
    EXPECT_EQ(run({"export", name, "--plans", "plans.json"}), 0) << err();
    std::string text;
    for (const auto& plan : nlohmann::json::parse(folder.read("plans.json")))
      text += (plan.contains("stages") ? plan["stages"] : plan).dump() + "\n";
    return text;
  }
};

TEST_F(FittedRun, PlansTheSameAgainWhenItWasKilledAndResumed) {
  const int code = run(fitted_words("undisturbed"));
  ASSERT_TRUE(code == 0 || code == 3) << out() << err();
  const std::string undisturbed = outcome("undisturbed");
  const std::string planned = plans("undisturbed");
  ASSERT_GT(std::count(planned.begin(), planned.end(), '\n'), 3);
  for (const char* moment : {"after:14", "before:22"}) {
    folder.remove("killed");
    ASSERT_EQ(run(fitted_words("killed"), {std::string("ESPALIER_CRASH_AT=") + moment}),
              128 + SIGKILL)
        << moment << err();
    EXPECT_EQ(run({"resume", "killed"}), code) << moment << out() << err();
    EXPECT_EQ(outcome("killed"), undisturbed) << moment;
    EXPECT_EQ(plans("killed"), planned) << moment;
  }
}

}  // namespace
}  // namespace espalier
