// SPDX-License-Identifier: Apache-2.0
// Commands that believe estimators. Nobody fitted these: it is not about how good they are.
#include <sstream>

#include "estimation/forecaster_file.h"
#include "estimation/random_estimators.h"
#include "program.h"

namespace espalier {
namespace {

constexpr const char* kScenario = R"(espalier: 1
name: small
goal: {loss: 1.2, deadline: 100}
start: {model: L, nodes: gold, loss: 2.3}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 1, energy: 3, learn: RULE}
  - {model: M, nodes: silver, time: 1, energy: 1, learn: RULE}
change:
  models: [{from: L, to: M, time: 1, energy: 1}]
)";
constexpr const char* kTraining = R"(training:
  network: vgg11
  dataset: cifar10
  nodes: {gold: {samples: 5000, classes: 10}, silver: {samples: 1000, classes: 10}}
)";

class FittedProgram : public ProgramTest {
 protected:
  FittedProgram() {
    write("e.fitted", estimator_bytes({.run = support::random_run_network(1),
                                       .change = support::random_change_network(2),
                                       .calibration = tuning_tensors({}),
                                       .origin = "a test"}));
  }

  std::string scenario(const std::string& rule, const std::string& more = kTraining) const {
    std::string text = kScenario + more;
    for (std::size_t at = text.find("RULE"); at != std::string::npos; at = text.find("RULE")) {
      text.replace(at, 4, rule);
    }
    return write("s.yaml", text);
  }

  // L on gold, and after 2 or 6 epochs of it M on silver.
  std::string traces() const {
    std::ostringstream text;
    text << "run,epoch,nodes,prune,samples,classes,loss,event\n";
    for (int k = 0; k <= 40; ++k) {
      text << "1/gold," << k << ",gold,0,5000,10," << 2.3 / (1 + 0.05 * k)
           << (k == 0 ? ",start\n" : ",epoch\n");
    }
    for (const int first : {2, 6}) {
      for (int k = 0; k <= 40; ++k) {
        text << "1/gold/" << first << "x0.5/silver," << first + k << ",silver,0.5,1000,10,"
             << 2.0 / (1 + 0.06 * k) << (k == 0 ? ",hand-over\n" : ",epoch\n");
      }
    }
    return write("traces.csv", text.str());
  }
};

TEST_F(FittedProgram, PlansWithRulesFromAFile) {
  const Told by_rule = run("plan " + scenario("{fitted: e.fitted}") + " --format json");
  const auto plan = by_rule.document();
  ASSERT_EQ(plan["status"], "ok") << by_rule.out;
  // The option does the same to rules that say something else.
  const Told by_option =
      run("plan " + scenario("{rate: 0.5}") + " --fitted e.fitted --format json");
  EXPECT_EQ(by_option.document()["data"]["steps"], plan["data"]["steps"]);
  const Told without = run("plan " + scenario("{rate: 0.5}") + " --format json");
  EXPECT_NE(without.document()["data"]["steps"], plan["data"]["steps"]);
}

TEST_F(FittedProgram, SimulatesInAWorldOfTraces) {
  const Told told = run("simulate " + scenario("{rate: 0.1}") +
                        " --strategy pact --fitted e.fitted --environment " + traces() +
                        " --detail --format json");
  const auto data = told.document()["data"];
  ASSERT_TRUE(told.exit_code == 0 || told.exit_code == 3) << told.out << told.err;
  EXPECT_EQ(data["runs"], 1);
}

TEST_F(FittedProgram, ComparesStrategiesThatBelieveIt) {
  const Told told = run("compare " + scenario("{rate: 0.1}") +
                        " --strategies pact,exact --fitted e.fitted --environment " + traces());
  EXPECT_EQ(told.exit_code, 0) << told.out << told.err;
  EXPECT_TRUE(contains(told.out, "pact"));
}

TEST_F(FittedProgram, SaysWhatTheScenarioLacks) {
  const Told told = run("plan " + scenario("{fitted: e.fitted}", ""));
  EXPECT_EQ(told.exit_code, 4);
  EXPECT_TRUE(contains(told.err, "how many samples and classes 'gold' has")) << told.err;
}

TEST_F(FittedProgram, CheckOpensTheFilesOfRules) {
  EXPECT_EQ(run("check " + scenario("{fitted: e.fitted}")).exit_code, 0);
  EXPECT_EQ(run("check " + scenario("{traces: " + traces() + "}")).exit_code, 0);
  write("broken.fitted", "no estimators");
  for (const char* rule : {"{fitted: nowhere.fitted}", "{fitted: broken.fitted}",
                           "{traces: nowhere.csv}", "{traces: e.fitted}"}) {
    const Told checked = run("check " + scenario(rule));
    EXPECT_EQ(checked.exit_code, 4) << rule;
    EXPECT_TRUE(contains(checked.out, "cannot be used")) << checked.out;
  }
  EXPECT_EQ(run("check " + scenario("{fitted: e.fitted}", "")).exit_code, 4);
}

TEST_F(FittedProgram, SaysWhatIsWrongWithTheFile) {
  const std::string name = scenario("{rate: 0.1}");
  const Told missing = run("plan " + name + " --fitted nowhere.fitted");
  EXPECT_EQ(missing.exit_code, 4);
  EXPECT_TRUE(contains(missing.err, "nowhere.fitted")) << missing.err;
  write("bad.fitted", "no estimators at all");
  const Told bad = run("plan " + name + " --fitted bad.fitted");
  EXPECT_EQ(bad.exit_code, 4);
  EXPECT_TRUE(contains(bad.err, "bad.fitted")) << bad.err;
}

}  // namespace
}  // namespace espalier
