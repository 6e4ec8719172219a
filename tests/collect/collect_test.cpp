// SPDX-License-Identifier: Apache-2.0
#include "collection.h"
#include "experiments/experiment_tree.h"
#include "experiments/run_id.h"
#include "fakes/fake_laboratory.h"
#include "io/scenario_file.h"
#include "io/trace_file.h"

namespace espalier {
namespace {

using Collect = Collection;

// --- what is collected ---

// The obvious way: one experiment from its beginning to its end, nothing shared, nothing stored.
std::vector<double> plain_losses(const std::string& run, int last_epochs) {
  FakeLaboratory laboratory({});
  const std::vector<std::string> names{"gold", "silver", "bronze"};
  const auto id = [&](const std::string& name) {
    return NodeSetId{
        static_cast<std::int32_t>(std::find(names.begin(), names.end(), name) - names.begin())};
  };
  std::vector<double> losses;
  int epoch = 0;
  const std::uint64_t seed = place_of(run)->seed;
  Network network = laboratory.fresh(seed);
  for (const RunOrigin& part : lineage_of(run, last_epochs)) {
    const RunPlace place = *place_of(part.run);
    const NodeSetId nodes = id(place.nodes);
    if (place.ratio) {
      Changed pruned = laboratory.prune(std::move(network), {nodes, seed, epoch}, place.prune);
      losses.push_back(pruned.losses.training.value);
      network = std::move(pruned.network);
      continue;
    }
    const auto from = place.origin ? std::optional(id(place.nodes_before)) : std::nullopt;
    losses.push_back(laboratory.arrive(network, {nodes, seed, epoch}, from).losses.training.value);
    for (int i = 0; i < part.steps; ++i) {
      Changed trained = laboratory.train(std::move(network), {nodes, seed, epoch++});
      losses.push_back(trained.losses.training.value);
      network = std::move(trained.network);
    }
  }
  return losses;
}

TEST_F(Collect, GivesWhatTrainingEveryExperimentByItselfWouldGive) {
  ASSERT_EQ(collect("out", {"--expand"}), 0) << err();
  std::map<std::string, std::vector<double>> experiments;
  for (const TraceRow& row : load_traces(folder_ / "out/experiments.csv"))
    experiments[row.run].push_back(row.loss.value);
  EXPECT_EQ(experiments.size(), 2U * (2 + 2 * (2 * 2 * 2)));
  for (const auto& [name, losses] : experiments) {
    ASSERT_TRUE(name.ends_with("/4")) << name;
    EXPECT_EQ(losses, plain_losses(name.substr(0, name.size() - 2), 4)) << name;
  }
}

TEST_F(Collect, WritesEveryStepOnce) {
  ASSERT_EQ(collect("out", {"--format", "json"}), 0) << err();
  const Scenario scenario = load_scenario(folder_ / "grid.yaml");
  const ExperimentTree tree = grow_tree(*scenario.collect, {"gold", "silver", "bronze"});
  const auto rows = load_traces(folder_ / "out/traces.csv");
  const auto epochs = std::count_if(
      rows.begin(), rows.end(), [](const TraceRow& row) { return row.event == TraceEvent::Epoch; });
  EXPECT_EQ(epochs, tree.epochs_shared());
  EXPECT_EQ(answer()["rows"], rows.size());
  EXPECT_EQ(answer()["runs"], tree.branches.size());
  EXPECT_EQ(answer()["state"], "finished");
  EXPECT_EQ(answer()["energy_sources"][0]["provenance"], "modelled");
}

TEST_F(Collect, NamesVersionsAfterTheModelsOfTheScenario) {
  ASSERT_EQ(collect("out"), 0) << err();
  std::map<double, std::string> names;
  for (const TraceRow& row : load_traces(folder_ / "out/traces.csv")) names[row.prune] = row.model;
  EXPECT_EQ(names, (std::map<double, std::string>{
                       {0, "L"}, {0.5, "M"}, {0.625, "L-0.625"}, {0.75, "L-0.75"}}));
}

TEST_F(Collect, GivesTheSameWithAnyNumberOfWorkers) {
  ASSERT_EQ(collect("one", {"--workers", "1"}), 0) << err();
  ASSERT_EQ(collect("five", {"--workers", "5"}), 0) << err();
  EXPECT_EQ(traces("one"), traces("five"));
}

std::map<std::string, std::vector<double>> losses_by_run(const std::vector<TraceRow>& rows) {
  std::map<std::string, std::vector<double>> runs;
  for (const TraceRow& row : rows) runs[row.run].push_back(row.loss.value);
  return runs;
}

// Whether the loss is low enough is seen when up to four epochs too many were trained already.
TEST_F(Collect, EndsExperimentsThatHaveLearntEnough) {
  const Words enough{"--set", "collect.last_epochs=23", "--set", "collect.last_loss=1.2"};
  ASSERT_EQ(collect("long", {"--set", "collect.last_epochs=23"}), 0) << err();
  ASSERT_EQ(collect("short", enough), 0) << err();
  const auto all = losses_by_run(load_traces(folder_ / "long/traces.csv"));
  int ended = 0;
  for (const auto& [run, losses] : losses_by_run(load_traces(folder_ / "short/traces.csv"))) {
    const std::vector<double>& whole = all.at(run);
    ASSERT_TRUE(std::equal(losses.begin(), losses.end(), whole.begin())) << run;
    if (losses.size() == whole.size()) continue;
    ++ended;
    EXPECT_LE(losses.back(), 1.2) << run;
    const std::size_t steps = losses.size() - 1;
    EXPECT_TRUE(losses[steps - 1] > 1.2 || steps == 1 || steps == 7) << run;
  }
  EXPECT_GT(ended, 20);

  Words several = enough;
  several.insert(several.end(), {"--workers", "5"});
  ASSERT_EQ(collect("several", several), 0) << err();
  EXPECT_EQ(traces("several"), traces("short"));
  ASSERT_EQ(collect("long", enough), 0) << err();
  EXPECT_EQ(traces("long"), traces("short")) << "what was trained beyond is not told";
}

TEST_F(Collect, LeavesNoNetworksBehindUnlessAsked) {
  ASSERT_EQ(collect("out"), 0) << err();
  EXPECT_EQ(count_files("out", ".safetensors"), 0U);
  ASSERT_EQ(collect("kept", {"--keep-networks"}), 0) << err();
  EXPECT_EQ(count_files("kept", ".safetensors"), 2U * (2 + 2 + 4 * 2 + 4 * 2 * 2));
}

// --- starting again ---

TEST_F(Collect, DoesNothingTwice) {
  ASSERT_EQ(collect("out"), 0) << err();
  const std::string before = traces("out");
  ASSERT_EQ(start({ESPALIER_PROGRAM, "collect", "grid.yaml", "--output", "out"})->wait(), 0)
      << "all is there, so that no trainer is needed: " << err();
  EXPECT_EQ(traces("out"), before);
}

TEST_F(Collect, GoesOnWithALargerGridAsIfItHadBeenThatLargeFromTheStart) {
  ASSERT_EQ(collect("out", {"--set", "collect.seeds=[1]", "--set", "collect.switch_epochs=[2]"}), 0)
      << err();
  ASSERT_EQ(collect("out", {"--dry-run", "--format", "json"}), 0) << err();
  EXPECT_GT(answer()["epochs_known"], 0);
  ASSERT_EQ(collect("out"), 0) << err();
  ASSERT_EQ(collect("new"), 0) << err();
  EXPECT_EQ(traces("out"), traces("new"));
  ASSERT_EQ(collect("out", {"--set", "collect.seeds=[2]"}), 0) << err();
  ASSERT_EQ(collect("small", {"--set", "collect.seeds=[2]"}), 0) << err();
  EXPECT_EQ(traces("out"), traces("small")) << "and with a smaller one";
}

TEST_F(Collect, RefusesToMixExperimentsOfDifferentTraining) {
  ASSERT_EQ(collect("out"), 0) << err();
  EXPECT_EQ(collect("out", {"--set", "training.learning_rate=0.5"}), 4);
  EXPECT_TRUE(says("holds experiments with training.learning_rate 0.001; now it is 0.5")) << err();
  EXPECT_EQ(collect("out", {"--set", "training.jitter=4"}), 4);
  EXPECT_TRUE(says("holds experiments with training.jitter 0; now it is 4")) << err();
}

TEST_F(Collect, NoticesADamagedRun) {
  ASSERT_EQ(collect("out"), 0) << err();
  const std::string text = read("out/runs/1/on-gold/trace.csv");
  write("out/runs/1/on-gold/trace.csv", text.substr(0, text.size() - 5));
  EXPECT_EQ(collect("out"), 4);
  EXPECT_TRUE(says("trace.csv:9: event is")) << err();
}

TEST_F(Collect, NoticesThatTrainingAgainGivesAnotherLoss) {
  ASSERT_EQ(collect("out", {"--set", "collect.switch_epochs=[2]"}), 0) << err();
  std::string text = read("out/runs/1/on-gold/trace.csv");
  const std::size_t at = text.find("1/gold,1,2,L,gold,0,45000,10,") + 29;
  text.replace(at, 3, "9.9");
  write("out/runs/1/on-gold/trace.csv", text);
  EXPECT_EQ(collect("out"), 1);
  EXPECT_TRUE(says("run 1/gold was trained again up to epoch 2")) << err();
}

TEST_F(Collect, AssemblesWhatIsThereWithoutTraining) {
  ASSERT_EQ(collect("out", {"--set", "collect.seeds=[2]"}), 0) << err();
  const std::string before = traces("out");
  ASSERT_EQ(collect("out", {"--assemble"}), 0) << err();
  EXPECT_EQ(traces("out"), before);
  EXPECT_NE(read(".out").find("assembled: "), std::string::npos) << read(".out");
}

TEST_F(Collect, TellsUpFrontHowLongItTakesIfOtherTracesKnow) {
  ASSERT_EQ(collect("out"), 0) << err();
  ASSERT_EQ(collect("again", {"--dry-run", "--times", "out/traces.csv", "--format", "json"}), 0);
  EXPECT_TRUE(answer()["seconds_left"].is_number()) << answer();
  EXPECT_EQ(answer()["times_from"], "out/traces.csv");
  ASSERT_EQ(collect("again", {"--dry-run", "--format", "json"}), 0);
  EXPECT_TRUE(answer()["seconds_left"].is_null()) << answer();
  EXPECT_EQ(collect("again", {"--set", "training.nodes.gold.samples=44000", "--set",
                              "training.nodes.silver.samples=4000", "--set",
                              "training.nodes.bronze.samples=1000", "--dry-run", "--times",
                              "out/traces.csv"}),
            4);
}

// --- what can go wrong ---

TEST_F(Collect, LetsOnlyOneCollectIntoAFolder) {
  const auto first = start(collect_words("out"), {{"FAKE_EPOCH_US", "20000"}});
  while (!std::filesystem::exists(folder_ / "out/runs")) {
    ASSERT_FALSE(first->wait_for(std::chrono::milliseconds(2)).has_value()) << err();
  }
  EXPECT_EQ(collect("out"), 2);
  EXPECT_TRUE(says("'out' is in use")) << err();
}

TEST_F(Collect, StopsWhenAskedAndGoesOnLater) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const auto running = start(collect_words("out"), {{"FAKE_EPOCH_US", "5000"}});
    while (running->children().empty() ||
           !std::filesystem::exists(folder_ / "out/runs/1/on-gold/trace.csv")) {
      ASSERT_FALSE(running->wait_for(std::chrono::milliseconds(2)).has_value()) << err();
    }
    EXPECT_EQ(running->end(signal), 7) << err();
    EXPECT_GT(load_traces(folder_ / "out/traces.csv").size(), 2U) << "what is there is written";
  }
  ASSERT_EQ(collect("out"), 0) << err();
  ASSERT_EQ(collect("undisturbed"), 0) << err();
  EXPECT_EQ(traces("out"), traces("undisturbed"));
}

// Neither gone nor a zombie.
bool lives(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  file >> id >> name >> state;
  return !state.empty() && state != "Z" && state != "X";
}

TEST_F(Collect, TakesItsTrainersAlongWhenItIsKilled) {
  const auto running = start(collect_words("out"), {{"FAKE_EPOCH_US", "60000000"}});
  std::vector<pid_t> trainers;
  while (trainers.empty()) {
    ASSERT_FALSE(running->wait_for(std::chrono::milliseconds(2)).has_value()) << err();
    if (std::filesystem::exists(folder_ / "out/runs/1/on-gold")) trainers = running->children();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  running->end(SIGKILL);
  for (int i = 0; i < 500 && lives(trainers[0]); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(lives(trainers[0]));
}

TEST_F(Collect, GivesUpWhenTrainersKeepDying) {
  EXPECT_EQ(collect("out", {"--workers", "1"}, {{"FAKE_DIES", "1"}}), 1);
  EXPECT_TRUE(says("run 1/gold: the trainer ended with exit code 9")) << err();
}

TEST_F(Collect, PassesOnWhatATrainerSays) {
  EXPECT_EQ(collect("out", {"--set", "training.dataset=missing"}), 4);
  EXPECT_TRUE(says("data set 'missing' is not there")) << err();
  EXPECT_EQ(collect("other", {}, {{"FAKE_DIVERGES_AFTER", "3"}}), 1);
  EXPECT_TRUE(says("the loss is not a number after epoch 4")) << err();
  EXPECT_TRUE(says("lower training.learning_rate")) << err();
}

TEST_F(Collect, SaysWhenThisBuildCannotTrain) {
  EXPECT_EQ(start({ESPALIER_PROGRAM, "collect", "grid.yaml", "--trainer", "nothing"})->wait(), 4);
  EXPECT_TRUE(says("'nothing' is no program")) << err();
}

// No file may be larger than 8 KiB: networks are, traces are not.
TEST_F(Collect, EndsClearlyWhenTheDiskIsFullAndGoesOnLater) {
  std::string command = "ulimit -f 8; exec";
  for (const std::string& word : collect_words("out")) command += " '" + word + "'";
  EXPECT_EQ(start({"/bin/bash", "-c", command}, {{"FAKE_PADDING", "20000"}})->wait(), 1);
  EXPECT_TRUE(says("cannot write: File too large")) << err();
  EXPECT_TRUE(says("space on the disk")) << err();
  ASSERT_EQ(collect("out", {}, {{"FAKE_PADDING", "20000"}}), 0) << err();
  EXPECT_EQ(count_files("out", ".tmp"), 0U);
  ASSERT_EQ(collect("undisturbed"), 0) << err();
  EXPECT_EQ(traces("out"), traces("undisturbed"));
}

// --- before it begins ---

TEST_F(Collect, SaysWhatItWouldDo) {
  ASSERT_EQ(collect("out", {"--dry-run", "--format", "json", "--workers", "2"}), 0) << err();
  EXPECT_EQ(answer()["state"], "planned");
  EXPECT_EQ(answer()["experiments"], 36);
  EXPECT_EQ(answer()["epochs_left"], answer()["epochs"]);
  EXPECT_TRUE(answer()["seconds_left"].is_null());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out")) << "and does nothing";
}

TEST_F(Collect, EstimatesItsTimeFromTheRunTableOrFromWhatIsThere) {
  const std::string row = "[{model: L, nodes: gold, time: 45, energy: 1, learn: {rate: 0.1}}]";
  ASSERT_EQ(collect("out", {"--dry-run", "--format", "json", "--set", "run=" + row}), 0) << err();
  EXPECT_GT(answer()["seconds_left"], 0);
  ASSERT_EQ(collect("out", {"--set", "collect.seeds=[1]"}), 0) << err();
  ASSERT_EQ(collect("out", {"--dry-run", "--format", "json"}), 0) << err();
  EXPECT_GT(answer()["seconds_left"], 0);
}

TEST_F(Collect, NeedsACollectSection) {
  const std::string text = scenario();
  write("grid.yaml", text.substr(0, text.find("collect:")));
  EXPECT_EQ(collect("out"), 4);
  EXPECT_TRUE(says("has no collect section")) << err();
}

TEST_F(Collect, PlanSaysThatTheRunTableIsYetToBeMeasured) {
  EXPECT_EQ(start({ESPALIER_PROGRAM, "plan", "grid.yaml"})->wait(), 4);
  EXPECT_TRUE(says("has no run table")) << err();
  EXPECT_TRUE(says("'espalier profile grid.yaml' measures it")) << err();
  EXPECT_EQ(start({ESPALIER_PROGRAM, "check", "grid.yaml"})->wait(), 0) << err();
}

}  // namespace
}  // namespace espalier
