// SPDX-License-Identifier: Apache-2.0
// The whole loop, with nodes that pretend: what happens when all goes well, and when it does not.
#include "orchestrator/orchestrator.h"

#include <limits>

#include "io/model_file.h"
#include "orchestrator/narration.h"
#include "orchestrator/run_cases.h"
#include "orchestrator/run_files.h"
#include "support/text.h"

namespace espalier {
namespace {

using fakes::FakeWork;
using fakes::RunOfFakes;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_F(RunTest, ReachesItsGoal) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_LE(run.state().now().loss.value, 0.6);
  EXPECT_GE(run.state().course.switches(run.setup().problem), 1);
  EXPECT_EQ(run.state().counts.nodes_lost, 0);
  EXPECT_EQ(run.state().epochs.back().provenance, Provenance::Modelled);
}

TEST_F(RunTest, LeavesAFolderThatTellsAll) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.finish());
  const std::string metrics = folder.read("metrics.csv");
  EXPECT_EQ(std::ranges::count(metrics, '\n'),
            static_cast<std::ptrdiff_t>(run.state().epochs.size() + 1));
  EXPECT_EQ(metrics, metrics_text(run.setup(), run.state()));
  for (std::size_t i = 0; i < run.state().asked.size(); ++i)
    EXPECT_TRUE(std::filesystem::exists(run.directory().plan(i))) << i;
  const std::string events = folder.read("events.jsonl");
  EXPECT_EQ(std::ranges::count(events, '\n'), run.journal().size());
  const Network last =
      load_model(run.orchestrator().checkpoints().file(run.state().epoch_number()));
  EXPECT_EQ(object_of(model_bytes(last)), run.state().network);
}

TEST_F(RunTest, KeepsTheLastTwoNetworksAndTheBest) {
  RunOfFakes run(folder.path());
  // The best epoch is the third.
  for (auto& [name, node] : run.nodes)
    node.loss = [](int epochs) { return epochs == 3 ? 0.7 : 2.0 * std::pow(0.97, epochs); };
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(6)));
  const Checkpoints& kept = run.orchestrator().checkpoints();
  EXPECT_FALSE(std::filesystem::exists(kept.file(4)));
  EXPECT_TRUE(kept.has(5, run.state().epochs[4].network));
  EXPECT_TRUE(kept.has(6, run.state().epochs[5].network));
  EXPECT_EQ(object_in(kept.best()), run.state().epochs[2].network);
}

TEST_F(RunTest, OfEqualLossesTheFirstIsTheBest) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes)
    node.mischief = [](FakeWork& work) { work.result.loss = {1.5}; };
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(4)));
  EXPECT_EQ(best_epoch(run.state()), 1U);
  EXPECT_EQ(object_in(run.orchestrator().checkpoints().best()), run.state().epochs[0].network);
}

TEST_F(RunTest, DropsObjectsThatNobodyNeeds) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(5)));
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(run.directory().objects()))
    files += entry.is_regular_file() ? 1U : 0U;
  EXPECT_LE(files, 4U) << "the network, and updates of the round";
}

TEST_F(RunTest, EndsAtOnceWhenTheFreshNetworkIsGoodEnough) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes) node.loss = [](int) { return 0.5; };
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(run.state().epochs.size(), 0U);
}

TEST_F(RunTest, EndsAsMissedWhenTheLossStaysWhereItIs) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes) node.loss = [](int) { return 2.0; };
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::DeadlinePassed);
  EXPECT_LE(run.state().now().time.value, 100);
}

TEST_F(RunTest, EndsAsMissedWhenTheLossRises) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes) node.loss = [](int epochs) { return 2.0 + 0.3 * epochs; };
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_TRUE(run.state().end == Ending::DeadlinePassed || run.state().end == Ending::NothingToSay);
}

TEST_F(RunTest, EndsWhereAllDiverge) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes) {
    node.mischief = [](FakeWork& work) {
      if (!trains(work.task) || work.task.id.epoch < 2) return;
      work.result.end = TaskEnd::Divergent;
      work.result.loss = {kNan};
      work.result.update.reset();
    };
  }
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Diverged);
  EXPECT_EQ(run.state().epochs.size(), 2U);
}

// --- what nodes send
// ------------------------------------------------------------------------------

TEST_F(RunTest, CountsAResultOnce) {
  RunOfFakes run(folder.path());
  auto& node = run.nodes.at("gold-1");
  node.mischief = [&](FakeWork& work) {
    run.desk().report(node.visitor(), work.result,
                      [&](Receipt receipt) { node.receipts.push_back(receipt); });
  };
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  ASSERT_GE(node.receipts.size(), 2U);
  EXPECT_EQ(node.receipts[0], Receipt::Accepted);
  EXPECT_EQ(node.receipts[1], Receipt::Duplicate);
  EXPECT_GT(run.state().counts.dropped.duplicate, 0);
}

TEST_F(RunTest, DropsWhatComesLateOrUnasked) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(2)));
  std::vector<Receipt> receipts;
  const auto answer = [&](Receipt receipt) { receipts.push_back(receipt); };
  TaskResult result;
  result.task = run.state().round.id;
  const NodeSetId here = run.state().round.nodes;
  const auto idle = std::ranges::find_if(
      run.nodes, [&](const auto& entry) { return entry.second.nodes() != here; });
  run.desk().report(idle->second.visitor(), result, answer);
  result.task.epoch = 0;
  run.desk().report(idle->second.visitor(), result, answer);
  result.task = {"another-run", 2, 1, 0};
  run.desk().report(idle->second.visitor(), result, answer);
  run.turn();
  EXPECT_EQ(receipts, (std::vector{Receipt::Unselected, Receipt::Late, Receipt::Unselected}));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(run.state().counts.dropped.late, 1);
  EXPECT_EQ(run.state().counts.dropped.unselected, 2);
  const auto events = read_journal(run.directory().journal()).events;
  EXPECT_TRUE(std::ranges::any_of(events, [](const RunEvent& event) {
    return std::holds_alternative<ResultsDropped>(event.what);
  })) << "they are in the journal, for whoever resumes it or reads it";
}

// Each turns a sound result into a bad one.
struct BadResult {
  const char* name;
  void (*spoil)(FakeWork&);
};

void replace_update(FakeWork& work, const std::function<void(Network&)>& change) {
  Network network = stored_network(work.objects, *work.result.update, "update");
  change(network);
  work.result.update = put_network(work.objects, network);
}

const BadResult kBadResults[] = {
    {"NoUpdate", [](FakeWork& work) { work.result.update.reset(); }},
    {"AnUpdateThatIsNotThere",
     [](FakeWork& work) { work.result.update = object_of("never pushed"); }},
    {"NoDigest",
     [](FakeWork& work) {
       work.result.update = ObjectRef{"../../etc/passwd", 7};
     }},
    {"ALossThatIsNoNumber", [](FakeWork& work) { work.result.loss = {kNan}; }},
    {"NegativeEnergy", [](FakeWork& work) { work.result.energy.energy = {-1}; }},
    {"TooManySamples", [](FakeWork& work) { work.result.samples = 1'000'000; }},
    {"NoSamples", [](FakeWork& work) { work.result.samples = 0; }},
    {"WeightsThatAreNoNumbers",
     [](FakeWork& work) {
       replace_update(work, [](Network& network) {
         network.weights.begin()->second.values[0] = std::numeric_limits<float>::infinity();
       });
     }},
    {"MomentumThatIsNoNumber",
     [](FakeWork& work) {
       replace_update(work, [](Network& network) {
         network.momentum.begin()->second.values[0] = std::numeric_limits<float>::quiet_NaN();
       });
     }},
    {"AnotherArchitecture",
     [](FakeWork& work) {
       work.result.update = put_network(
           work.objects, fresh_network(build_network("vgg11", {0.05, 10, {1, 32, 32}}), 1));
     }},
    {"NoModelAtAll",
     [](FakeWork& work) {
       const std::string text(5000, 'x');
       work.result.update = object_of(text);
       put_object(work.objects, *work.result.update, text);
     }},
};

class BadResultTest : public testing::TestWithParam<BadResult> {};

TEST_P(BadResultTest, IsDroppedAndItsNodeLeftOutOfTheEpoch) {
  const TemporaryFolder folder{fakes::quick_folder()};
  RunOfFakes run(folder.path());
  int spoilt = 0;
  for (const char* name : {"gold-1", "silver-1", "bronze-1"}) {
    auto& node = run.nodes.at(name);
    node.mischief = [&spoilt](FakeWork& work) {
      if (!trains(work.task) || spoilt > 0) return;
      ++spoilt;
      GetParam().spoil(work);
    };
  }
  run.begin();
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(spoilt, 1);
  EXPECT_EQ(run.state().counts.bad_results, 1);
  EXPECT_EQ(run.state().epochs[0].members, 1U) << "the other one alone";
  EXPECT_EQ(run.state().epochs[1].members, 2U) << "both again";
}

INSTANTIATE_TEST_SUITE_P(All, BadResultTest, testing::ValuesIn(kBadResults),
                         [](const auto& bad) { return std::string(bad.param.name); });

TEST_F(RunTest, AveragesTheSameWhateverTheOrderOfArrival) {
  const auto network_after = [&](const char* name, bool reversed) {
    RunOfFakes run(folder / name);
    run.begin();
    for (int i = 0; i < 2000 && !run.state().end; ++i) {
      if (reversed) {
        for (auto it = run.nodes.rbegin(); it != run.nodes.rend(); ++it)
          it->second.act(run.desk(), run.objects());
        run.orchestrator().turn();
      } else {
        run.turn();
      }
    }
    return run.state().network;
  };
  EXPECT_EQ(network_after("a", false), network_after("b", true));
}

// --- nodes come and go
// ------------------------------------------------------------------------------

TEST_F(RunTest, GoesOnWithoutANodeThatDies) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  const std::string name = run.state().round.members.begin()->first.value;
  run.nodes.at(name).is_dead = true;
  ASSERT_TRUE(run.finish({0.5}));
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(run.state().counts.nodes_lost, 1);
  EXPECT_EQ(run.state().nodes.at({name}).presence, Presence::Lost);
}

TEST_F(RunTest, TakesANodeBackThatReturns) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  auto& node = run.nodes.at(run.state().round.members.begin()->first.value);
  node.is_dead = true;
  ASSERT_TRUE(run.turn_until(training_of(3), {0.5}));
  EXPECT_EQ(run.state().nodes.at(node.name()).presence, Presence::Lost);
  node.is_dead = false;
  run.turn();
  run.turn();
  EXPECT_EQ(run.state().nodes.at(node.name()).presence, Presence::Online);
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
}

TEST_F(RunTest, LetsARestartedNodeDoItsTask) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  auto& node = run.nodes.at(run.state().round.members.begin()->first.value);
  node.restart("second");
  run.desk().let_another_come(node.name());
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(run.state().counts.nodes_lost, 0);
  for (const EpochRecord& epoch : run.state().epochs) EXPECT_EQ(epoch.members, 2U);
}

TEST_F(RunTest, RefusesASecondProcessOfTheSameName) {
  RunOfFakes run(folder.path());
  run.begin();
  run.turn();
  auto& node = run.nodes.at("gold-1");
  const Visitor other{node.name(), "another"};
  EXPECT_THROW(run.desk().enrol(other, node.hello()), Error);
  EXPECT_THROW(run.desk().heartbeat(other, std::nullopt), Error);
  node.is_dead = true;
  run.pass({10});
  EXPECT_NO_THROW(run.desk().enrol(other, node.hello()));
  EXPECT_THROW(run.desk().heartbeat(node.visitor(), std::nullopt), Error);
}

TEST_F(RunTest, RefusesStrangers) {
  RunOfFakes run(folder.path());
  run.begin();
  run.turn();
  const Hello hello = run.nodes.at("gold-1").hello();
  EXPECT_THROW(run.desk().enrol({{"mallory"}, "x"}, hello), Error);
  EXPECT_THROW(run.desk().enrol({{"../gold-1"}, "x"}, hello), Error);
  EXPECT_THROW(run.desk().pull({{"mallory"}, "x"}, {}, [](Pulled) {}), Error);
  EXPECT_THROW(run.desk().report({{"mallory"}, "x"}, {}, [](Receipt) {}), Error);
  EXPECT_FALSE(run.desk().may_fetch({{"mallory"}, "x"}, run.state().network));
  Hello other = hello;
  other.height = 28;
  run.nodes.at("gold-2").restart("again");
  run.desk().let_another_come({"gold-2"});
  EXPECT_THROW(run.desk().enrol({{"gold-2"}, "again"}, other), Error) << "other images";
  other = hello;
  other.samples = 0;
  EXPECT_THROW(run.desk().enrol({{"gold-2"}, "again"}, other), Error) << "no samples";
  other.samples = 1'000'000;
  EXPECT_THROW(run.desk().enrol({{"gold-2"}, "again"}, other), Error) << "all of gold has 2000";
  other = hello;
  other.nodes = "silver";
  EXPECT_THROW(run.desk().enrol({{"gold-2"}, "again"}, other), Error) << "another set";
}

TEST_F(RunTest, KnowsHowMuchOfARoundIsDone) {
  RunOfFakes run(folder.path());
  ASSERT_TRUE(run.orchestrator().progress());
  EXPECT_EQ(run.orchestrator().progress()->awaited,
            (std::vector<NodeName>{{"gold-1"}, {"gold-2"}}));
  EXPECT_EQ(run.orchestrator().progress()->done, 0);
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  EXPECT_TRUE(run.orchestrator().progress()->awaited.empty());
  for (auto& [name, node] : run.nodes) node.is_slow = true;
  run.turn();
  const auto done = [&] { return run.orchestrator().progress().value().done; };
  EXPECT_EQ(run.orchestrator().progress()->kind, RoundKind::Train);
  EXPECT_EQ(done(), 0);
  const Round& round = run.state().round;
  const fakes::FakeNode& one = run.nodes.at(round.members.begin()->first.value);
  run.desk().heartbeat(one.visitor(), AtWork(round.id, 0.5));
  EXPECT_DOUBLE_EQ(done(), 0.25) << "half of what one of two has to do";
  TaskId old = round.id;
  old.epoch -= 1;
  run.desk().heartbeat(one.visitor(), AtWork(old, 0.9));
  EXPECT_EQ(done(), 0) << "of another task";
}

TEST_F(RunTest, GivesObjectsToWhoNeedsThem) {
  RunOfFakes run(folder.path());
  run.begin();
  for (auto& [name, node] : run.nodes) node.is_slow = true;
  ASSERT_TRUE(
      run.turn_until([](const RunState& state) { return state.activity == Activity::Working; }));
  const auto& working = run.nodes.at("gold-1");
  const auto& idle = run.nodes.at("bronze-1");
  EXPECT_TRUE(run.desk().may_fetch(working.visitor(), run.state().network));
  EXPECT_FALSE(run.desk().may_fetch(idle.visitor(), run.state().network));
  EXPECT_FALSE(run.desk().may_push(working.visitor(), object_of("abc"))) << "it is only to look";
  EXPECT_FALSE(run.desk().heartbeat(idle.visitor(), run.state().round.id));
  EXPECT_TRUE(run.desk().heartbeat(working.visitor(), run.state().round.id));
  for (auto& [name, node] : run.nodes) node.is_slow = false;
  ASSERT_TRUE(run.turn_until(training_of(0)));
  const auto& member = run.nodes.at(run.state().round.members.begin()->first.value);
  EXPECT_TRUE(run.desk().may_push(member.visitor(), object_of("abc")));
  EXPECT_FALSE(run.desk().may_push(member.visitor(), {object_of("abc").sha256, 1U << 30U}));
}

TEST_F(RunTest, LetsNodesJoinOnTheWay) {
  RunSetup setup = fakes::setup_for_fakes();
  setup.may_join = true;
  RunOfFakes run(folder.path(), setup);
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(2)));
  const NodeSetId here = run.state().round.nodes;
  const std::string set = run.setup().scenario.node_sets[here.pos()].name;
  run.nodes.emplace("late-9", fakes::FakeNode({"late-9"}, here, set, 500));
  ASSERT_TRUE(run.finish());
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_FALSE(run.nodes.at("late-9").done.empty());
}

TEST_F(RunTest, PlansWithoutANodeSetThatIsGone) {
  RunOfFakes run(folder.path());
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(3)));
  const NodeSetId gone = run.state().round.nodes;
  for (auto& [name, node] : run.nodes) node.is_dead |= node.nodes() == gone;
  ASSERT_TRUE(run.finish({0.5}));
  EXPECT_EQ(run.state().counts.nodes_lost, 2);
  ASSERT_FALSE(run.state().plan->without.empty());
  EXPECT_EQ(run.state().plan->without.front(), gone);
  EXPECT_NE(run.setup().problem.training(run.state().now().placement).at.nodes, gone);
}

TEST_F(RunTest, EndsSoonAfterTheLastNodeIsGoneAndCanBeResumed) {
  {
    RunOfFakes run(folder.path());
    run.begin();
    ASSERT_TRUE(run.turn_until(training_of(2)));
    for (auto& [name, node] : run.nodes) node.is_dead = true;
    const Seconds gone = run.clock().now();
    ASSERT_TRUE(run.finish({0.5}));
    EXPECT_EQ(run.state().end, Ending::NodesGone);
    EXPECT_LE((run.clock().now() - gone).value, 15 + 60 + 5);
  }
  RunOfFakes again(folder.path());
  again.begin();
  ASSERT_TRUE(again.finish());
  EXPECT_EQ(again.state().end, Ending::Reached);
  EXPECT_GE(again.state().epochs.size(), 3U);
}

TEST_F(RunTest, ExpectsNodesThatNeverComeForAWhileOnly) {
  RunOfFakes run(folder.path());
  run.nodes.at("gold-2").is_dead = true;
  run.begin();
  ASSERT_TRUE(run.finish({0.5}));
  EXPECT_EQ(run.state().end, Ending::Reached);
  EXPECT_EQ(run.state().nodes.at({"gold-2"}).presence, Presence::Lost);
}

TEST_F(RunTest, WithoutAnyNodeEnds) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes) node.is_dead = true;
  run.begin();
  ASSERT_TRUE(run.finish({0.5}));
  EXPECT_EQ(run.state().end, Ending::NodesGone);
}

TEST_F(RunTest, RepeatsARoundOfWhichTooLittleCameBack) {
  RunSetup setup = fakes::setup_for_fakes();
  RunOfFakes run(folder.path(), setup);
  run.begin();
  ASSERT_TRUE(run.turn_until(training_of(1)));
  // Both break once.
  for (auto& [name, node] : run.nodes) {
    node.mischief = [count = 0](FakeWork& work) mutable {
      if (!trains(work.task) || count++ > 0) return;
      work.result.end = TaskEnd::Failed;
      work.result.message = "out of memory";
      work.result.update.reset();
    };
  }
  ASSERT_TRUE(run.finish({0.5}));
  EXPECT_GT(run.state().counts.repeated_rounds, 0);
  EXPECT_GT(run.state().epochs.size(), 1U);
}

TEST_F(RunTest, TellsMachinesAsManyNewPlansAsItCounts) {
  RunOfFakes run(folder.path());
  for (auto& [name, node] : run.nodes)
    node.loss = [](int epochs) { return 2.0 * std::pow(epochs % 3 == 0 ? 0.95 : 0.88, epochs); };
  run.begin();
  ASSERT_TRUE(run.finish());
  const Narrator narrator(run.setup());
  RunState state = first_state(run.setup());
  int told = 0;
  for (const RunEvent& event : read_journal(run.directory().journal()).events) {
    const RunState before = state;
    state = on(run.setup(), state, event).state;
    for (const RunLine& line : narrator.tell(before, event, state))
      told += line.json.is_object() && line.json["event"] == "replan" ? 1 : 0;
  }
  EXPECT_GT(told, 0);
  EXPECT_EQ(told, run.state().counts.replans);
}

}  // namespace
}  // namespace espalier
