// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include "estimation/forecaster_file.h"
#include "estimation/random_estimators.h"
#include "program.h"

namespace espalier {
namespace {

constexpr const char* kLoop = R"(espalier: 1
name: small-loop
goal: {loss: 1.2, deadline: 200}
start: {model: L, nodes: gold, loss: 2.3}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 1, energy: 3, learn: {rate: 0.1}}
  - {model: M, nodes: silver, time: 1, energy: 1, learn: {rate: 0.1}}
change:
  models: [{from: L, to: M, time: 1, energy: 1, jump: 0.2}]
training:
  network: vgg11
  dataset: cifar10
  nodes: {gold: {samples: 5000, classes: 10}, silver: {samples: 1000, classes: 10}}
)";

// L on gold, and after 2, 4 or 6 epochs of it M on silver.
std::string traces_of(int seeds) {
  std::ostringstream text;
  text << "run,seed,epoch,nodes,prune,samples,classes,loss,time,event\n";
  for (int seed = 1; seed <= seeds; ++seed) {
    const double top = 2.3 + 0.05 * seed;
    for (int k = 0; k <= 30; ++k)
      text << seed << "/gold," << seed << "," << k << ",gold,0,5000,10," << top / (1 + 0.05 * k)
           << ",2" << (k == 0 ? ",start\n" : ",epoch\n");
    for (const int first : {2, 4, 6}) {
      for (int k = 0; k <= 30; ++k)
        text << seed << "/gold/" << first << "x0.5/silver," << seed << "," << first + k
             << ",silver,0.5,1000,10," << (top - 0.02 * first) / (1 + 0.06 * k) << ",1"
             << (k == 0 ? ",hand-over\n" : ",epoch\n");
    }
  }
  return text.str();
}

class Reproduce : public ProgramTest {
 protected:
  Reproduce() {
    write("loop.yaml", kLoop);
    write("traces.csv", traces_of(2));
  }

  static std::string with(const std::string& more) {
    return "reproduce --scenario loop.yaml --traces traces.csv --targets 1.2:1.4:0.1 " + more;
  }

  // Somebody who hands out estimators that nobody fitted, and counts how often.
  std::string lazy_trainer() const {
    write("e.fitted", estimator_bytes({.run = support::random_run_network(1),
                                       .change = support::random_change_network(2),
                                       .calibration = tuning_tensors({}),
                                       .origin = "a test"}));
    write("trainer", "#!/bin/sh\necho fit >> fits\ncp e.fitted \"$4\"\n");
    std::filesystem::permissions(path("trainer"), std::filesystem::perms::owner_all);
    return "--trainer ./trainer ";
  }
};

TEST_F(Reproduce, WritesAPageAndTheFiguresThemselves) {
  const Told told = run(with("fig2 environment fig6 --no-fit"));
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.out, " hold")) << told.out;
  const std::string page = read("reproduced/report.html");
  for (const char* words : {"fig. 2", "fig. 6", "traced world",
                            "seeds 1 judge what was learnt "
                            "from seeds 2"})
    EXPECT_TRUE(contains(page, words)) << words;
  for (const char* file : {"claims", "fig2", "fig6", "fig6-tries", "environment"})
    EXPECT_TRUE(exists("reproduced/" + std::string(file) + ".csv")) << file;
  EXPECT_TRUE(read("reproduced/fig6.csv").starts_with("deadline,who,target loss,reached"));
}

TEST_F(Reproduce, SaysTheSameWithAnyNumberOfWorkers) {
  ASSERT_EQ(run(with("fig2 environment fig6 --no-fit --workers 1 --output a")).exit_code, 0);
  ASSERT_EQ(run(with("fig2 environment fig6 --no-fit --workers 3 --output b")).exit_code, 0);
  for (const char* file : {"report.html", "claims.csv", "fig6-tries.csv", "environment.csv"})
    EXPECT_EQ(read(std::string("a/") + file), read(std::string("b/") + file)) << file;
}

TEST_F(Reproduce, AnswersMachinesWithOneDocument) {
  const Told told = run(with("environment --no-fit --format json"));
  const auto data = told.document()["data"];
  EXPECT_EQ(data["seeds"], 2);
  EXPECT_EQ(data["figures"][0]["id"], "environment");
  ASSERT_GE(data["claims"].size(), 1U);
  // Between changes after 2 and 6 epochs a curve after 4 is nearly what it was.
  EXPECT_EQ(data["claims"][0]["holds"], true) << data["claims"][0];
}

TEST_F(Reproduce, FitsToSomeSeedsAndKeepsTheEstimators) {
  const std::string trainer = lazy_trainer();
  const Told first = run(with("table1 fig4 fig7 " + trainer));
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(read("fits"), "fit\nfit\n");
  EXPECT_TRUE(contains(first.err, "learnt from seeds 2: fitting")) << first.err;
  const std::string page = read("reproduced/report.html");
  EXPECT_TRUE(contains(page, "table I"));
  const Told again = run(with("table1 fig4 fig7 " + trainer));
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read("fits"), "fit\nfit\n");
  EXPECT_TRUE(contains(again.err, "here from last time")) << again.err;
  EXPECT_EQ(read("reproduced/report.html"), page);
  // Seed 3 joins seed 1: what was learnt from seed 2 is still there.
  write("traces.csv", traces_of(3));
  ASSERT_EQ(run(with("table1 --groups 2 " + trainer)).exit_code, 0);
  EXPECT_EQ(read("fits"), "fit\nfit\nfit\n");
}

TEST_F(Reproduce, TellsWhenFittingFails) {
  write("trainer", "#!/bin/sh\necho no luck >&2\nexit 1\n");
  std::filesystem::permissions(path("trainer"), std::filesystem::perms::owner_all);
  const Told told = run(with("table1 --trainer ./trainer"));
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_TRUE(contains(told.err, "fitting estimators failed with exit code 1")) << told.err;
  EXPECT_FALSE(exists("reproduced/report.html"));
}

TEST_F(Reproduce, SaysWhatIsWrong) {
  const auto refusal = [&](const std::string& arguments) {
    const Told told = run(arguments);
    EXPECT_EQ(told.exit_code, 4) << told.out << told.err;
    return told.err;
  };
  EXPECT_TRUE(contains(refusal(with("fig66")), "did you mean 'fig6'"));
  EXPECT_TRUE(contains(refusal(with("--quick --full")), "contradict"));
  EXPECT_TRUE(contains(refusal(with("table1 --no-fit")), "table1 needs estimators"));
  EXPECT_TRUE(contains(refusal("reproduce fig2"), "there is no traces/factory-experiments.csv"));
  write("traces.csv", traces_of(1));
  EXPECT_TRUE(contains(refusal(with("fig2")), "one seed only"));
  EXPECT_TRUE(contains(refusal("reproduce fig2 --traces nowhere.csv"), "nowhere.csv"));
}

}  // namespace
}  // namespace espalier
