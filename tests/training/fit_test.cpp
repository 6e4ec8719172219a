// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "cli/program.h"

namespace espalier {
namespace {

using FitCommand = ProgramTest;

double curve(int run, int epoch) {
  return 0.1 + 0.02 * run + (2.0 + 0.1 * run) * std::pow(epoch + 1.0, -0.6 - 0.03 * run) +
         0.01 * std::sin(7.0 * run + 3.0 * epoch);
}

// Only the columns that must be there, in another order.
std::string bare_csv(int runs, int epochs) {
  std::string csv = "loss,run,epoch\n";
  for (int run = 0; run < runs; ++run) {
    for (int epoch = 0; epoch <= epochs; ++epoch)
      csv += std::to_string(curve(run, epoch)) + ",r" + std::to_string(run) + "," +
             std::to_string(epoch) + "\n";
  }
  return csv;
}

std::string pruned_csv(int runs, int epochs) {
  std::string csv = "run,epoch,loss,prune,event\n";
  const auto line = [&](int run, int epoch, double loss, const char* prune, const char* event) {
    csv += "r" + std::to_string(run) + "," + std::to_string(epoch) + "," + std::to_string(loss) +
           "," + prune + "," + event + "\n";
  };
  for (int run = 0; run < runs; ++run) {
    for (int epoch = 0; epoch <= epochs; ++epoch)
      line(run, epoch, curve(run, epoch), "0", epoch == 0 ? "start" : "epoch");
    line(run, epochs, curve(run, epochs) + 0.3, "0.5", "prune");
    for (int epoch = epochs + 1; epoch <= 2 * epochs; ++epoch)
      line(run, epoch, curve(run, epoch - epochs), "0.5", "epoch");
  }
  return csv;
}

nlohmann::json row_of(const nlohmann::json& estimator, const std::string& name) {
  for (const auto& row : estimator["estimators"]) {
    if (row["name"] == name) return row;
  }
  return {};
}

TEST_F(FitCommand, LearnsHowRunsGoOnAndWhatPruningDoes) {
  write("t.csv", pruned_csv(10, 8));
  const Told told = run("fit t.csv --epochs 10 --report r.html --format json");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const auto data = told.document()["data"];
  EXPECT_EQ(data["output"], "t.fitted");
  EXPECT_EQ(data["run"]["folds"], 5);
  EXPECT_EQ(data["run"]["runs"], 10);
  const auto network = row_of(data["run"], "network");
  const auto naive = row_of(data["run"], "last_difference");
  EXPECT_LT(network["pooled"]["mae"], naive["pooled"]["mae"]);
  EXPECT_EQ(network["by_horizon"].size(), 8U);
  EXPECT_GE(row_of(data["run"], "calibrated")["pooled"]["icp"], 0.85);
  EXPECT_TRUE(data["change"]["fitted"]);
  EXPECT_TRUE(exists("t.fitted"));
  const std::string page = read("r.html");
  EXPECT_TRUE(contains(page, "<svg")) << page.substr(0, 200);
  EXPECT_FALSE(contains(page, "<script"));
  EXPECT_FALSE(contains(page, "src="));
}

TEST_F(FitCommand, GivesTheSameBytesAgainAndReplacesOnlyWhenTold) {
  write("t.csv", bare_csv(7, 6));
  ASSERT_EQ(run("fit t.csv -o a.fitted --epochs 2 --workers 1").exit_code, 0) << read(".err");
  ASSERT_EQ(run("fit t.csv -o b.fitted --epochs 2 --workers 2").exit_code, 0) << read(".err");
  EXPECT_EQ(read("a.fitted"), read("b.fitted"));
  EXPECT_EQ(run("fit t.csv -o a.fitted --epochs 2").exit_code, 4);
  EXPECT_TRUE(contains(read(".err"), "is there already")) << read(".err");
  EXPECT_EQ(run("fit t.csv -o a.fitted --epochs 2 --force --seed 2").exit_code, 0);
  EXPECT_NE(read("a.fitted"), read("b.fitted"));
}

TEST_F(FitCommand, NeverReplacesItsTracesNorOneAnswerByTheOther) {
  write("t.csv", bare_csv(7, 6));
  const std::string traces = read("t.csv");
  for (const char* words : {"-o t.csv", "--report t.csv", "-o x --report ./x"}) {
    const Told told = run(std::string("fit t.csv --epochs 2 --force ") + words);
    EXPECT_EQ(told.exit_code, 4) << words;
    EXPECT_TRUE(contains(told.err, "would replace")) << told.err;
  }
  EXPECT_EQ(read("t.csv"), traces);
  EXPECT_FALSE(exists("x"));
}

TEST_F(FitCommand, TakesTracesFromElsewhereAndSaysWhatItCannotLearn) {
  std::string csv = bare_csv(7, 6);
  csv += "nan,r0,7\n,r0,8\n0.4,r0,9\n0.3,r0,10\n0.7,lonely,1\n";
  write("folders/traces.csv", csv);
  const Told told = run("fit folders --epochs 2");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_TRUE(contains(told.out, "0 runs have a row with the event prune")) << told.out;
  EXPECT_TRUE(contains(told.out, "2 rows without a finite loss")) << told.out;
  EXPECT_TRUE(contains(told.out, "1 run without two epochs")) << told.out;
  EXPECT_TRUE(exists("folders.fitted"));
}

TEST_F(FitCommand, SaysExactlyWhatIsMissing) {
  write("few.csv", bare_csv(5, 6));
  EXPECT_EQ(run("fit few.csv").exit_code, 4);
  EXPECT_TRUE(contains(read(".err"), "few.csv: 5 of 5 runs")) << read(".err");
  EXPECT_TRUE(contains(read(".err"), "at least 6 are needed")) << read(".err");
  write("short.csv", bare_csv(9, 0));
  EXPECT_EQ(run("fit short.csv").exit_code, 4);
  EXPECT_TRUE(contains(read(".err"), "no run has two epochs with a finite")) << read(".err");
  write("odd.csv", "run,epoch,accuracy\na,1,0.5\n");
  EXPECT_EQ(run("fit odd.csv").exit_code, 4);
  EXPECT_TRUE(contains(read(".err"), "odd.csv")) << read(".err");
  EXPECT_EQ(run("fit none.csv").exit_code, 4);
  EXPECT_EQ(run("fit").exit_code, 4);
  EXPECT_TRUE(contains(read(".err"), "fit needs traces")) << read(".err");
  EXPECT_FALSE(exists("few.fitted"));
  write("t.csv", bare_csv(30, 60));
  EXPECT_EQ(run("fit t.csv -o no/such/folder.fitted").exit_code, 4) << "at once";
}

TEST_F(FitCommand, WritesNothingWhenItIsStopped) {
  write("t.csv", bare_csv(30, 60));
  const Told told = signalled("INT", "fit t.csv --report r.html --epochs 100000");
  EXPECT_EQ(told.exit_code, 7) << told.err;
  EXPECT_FALSE(exists("t.fitted"));
  EXPECT_FALSE(exists("r.html"));
}

}  // namespace
}  // namespace espalier
