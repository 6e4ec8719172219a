// SPDX-License-Identifier: Apache-2.0
#include "node/agent_state.h"

#include <gtest/gtest.h>

#include "support/text.h"

namespace espalier {
namespace {

constexpr Moment kNow{{100}, 0};

Task some_task(int epoch = 3) {
  Task task;
  task.id = {"run", epoch, 1, 0};
  task.network = {std::string(64, 'a'), 10};
  task.work = TrainWork{};
  return task;
}

TaskResult some_result(const Task& task) {
  TaskResult result;
  result.task = task.id;
  result.update = ObjectRef{std::string(64, 'b'), 20};
  result.samples = 5;
  return result;
}

// An agent that meets one event after another.
class Life {
 public:
  explicit Life(AgentPatience patience = {}) { state.patience = patience; }
  const AgentAction& meets(const AgentEvent& event, const Moment& moment = kNow) {
    AgentTransition transition = on(std::move(state), event, moment);
    state = std::move(transition.state);
    remarks = std::move(transition.remarks);
    next = std::move(transition.next);
    return next;
  }
  template <class Action>
  const Action& must() const {
    EXPECT_TRUE(std::holds_alternative<Action>(next)) << next.index();
    return std::get<Action>(next);
  }
  void enrols() {
    meets(AgentStarted{});
    meets(Welcome{"run", "gold", {}});
  }
  void finishes(const Task& task) {
    meets(task);
    meets(NetworkFetched{});
    meets(some_result(task));
  }
  AgentState state;
  AgentAction next = Enrol{};
  std::vector<std::string> remarks;
};

TEST(AgentState, GoesFromTaskToReceipt) {
  Life life;
  life.meets(AgentStarted{});
  life.must<Enrol>();
  life.meets(Welcome{"run", "gold", {}});
  life.must<AskForTask>();
  life.meets(Nothing{});
  life.must<AskForTask>();
  life.meets(some_task());
  EXPECT_EQ(life.must<FetchNetwork>().network, some_task().network);
  life.meets(NetworkFetched{});
  EXPECT_EQ(life.must<DoTask>().task.id, some_task().id);
  life.meets(some_result(some_task()));
  EXPECT_EQ(life.must<PushUpdate>().update.size, 20U);
  life.meets(UpdatePushed{});
  EXPECT_EQ(life.must<HandIn>().result.samples, 5);
  life.meets(Receipt::Accepted);
  life.must<AskForTask>();
  life.meets(Dismissal{"done"});
  EXPECT_EQ(life.must<EndAgent>().error, std::nullopt);
}

TEST(AgentState, HandsInAResultWithoutAnUpdateAtOnce) {
  Life life;
  life.enrols();
  life.meets(some_task());
  life.meets(NetworkFetched{});
  TaskResult result = some_result(some_task());
  result.update.reset();
  life.meets(result);
  life.must<HandIn>();
}

TEST(AgentState, FailsTheTaskWhereAFileFails) {
  Life life;
  life.enrols();
  life.meets(some_task());
  life.meets(FileFailed{"no room"});
  EXPECT_EQ(life.must<HandIn>().result.task, some_task().id);
  EXPECT_EQ(life.must<HandIn>().result.end, TaskEnd::Failed);
  EXPECT_EQ(life.must<HandIn>().result.message, "no room");
  life.meets(Receipt::Accepted);
  life.must<AskForTask>();
  life.finishes(some_task(4));
  life.meets(FileFailed{"it is gone"});
  EXPECT_EQ(life.must<HandIn>().result.task, some_task(4).id);
  EXPECT_FALSE(life.must<HandIn>().result.update);
}

TEST(AgentState, WaitsLongerAfterEachFailureButNotForever) {
  Life life({.lost = {60}, .refused = {5}, .first_rest = {1}, .longest_rest = {10}});
  life.meets(AgentStarted{});
  double before = 0;
  for (const double expected : {1.0, 2.0, 4.0, 8.0, 10.0, 10.0}) {
    life.meets(LinkLost{"nobody there"});
    EXPECT_EQ(life.must<Rest>().time.value, expected);
    EXPECT_GE(expected, before);
    before = expected;
    life.meets(Rested{});
    life.must<Enrol>();
  }
  life.meets(LinkLost{"nobody there"}, {{100}, 0.5});
  EXPECT_EQ(life.must<Rest>().time.value, 7.5);
  life.meets(Rested{}, {{161}, 0});
  life.meets(LinkLost{"nobody there"}, {{161}, 0});
  EXPECT_EQ(life.must<EndAgent>().error, ErrorCode::NotAllowed);
  EXPECT_EQ(life.must<EndAgent>().why, "nobody there");
}

TEST(AgentState, TakesANoForAnAnswerSooner) {
  Life life({.lost = {60}, .refused = {5}});
  life.meets(AgentStarted{});
  life.meets(LinkRefused{"revoked"});
  life.must<Rest>();
  life.meets(Rested{});
  life.meets(LinkRefused{"revoked"}, {{106}, 0});
  EXPECT_EQ(life.must<EndAgent>().why, "revoked");
}

TEST(AgentState, KeepsAFinishedResultWhileTheOrchestratorIsAway) {
  Life life;
  life.enrols();
  life.finishes(some_task());
  life.must<PushUpdate>();
  life.meets(LinkLost{"gone"});
  life.must<Rest>();
  life.meets(Rested{});
  life.meets(Welcome{"run", "gold", {}});
  EXPECT_EQ(life.must<PushUpdate>().update.size, 20U);
  life.meets(UpdatePushed{});
  life.meets(LinkLost{"gone"});
  life.meets(Rested{});
  life.meets(Welcome{"run", "gold", {}});
  life.must<PushUpdate>();
}

TEST(AgentState, GivesARestartedOrchestratorOneMoreChanceThenDropsTheResult) {
  Life life;
  life.enrols();
  life.finishes(some_task());
  life.meets(LinkRefused{"enrol first"});
  life.meets(Rested{});
  life.meets(Welcome{"run", "gold", {}});
  life.must<PushUpdate>();
  life.meets(LinkRefused{"not wanted"});
  ASSERT_FALSE(life.remarks.empty());
  EXPECT_TRUE(contains(life.remarks.front(), "not wanted"));
  life.meets(Rested{});
  life.meets(Welcome{"run", "gold", {}});
  life.must<AskForTask>();
}

TEST(AgentState, DropsResultsOfAnotherRun) {
  Life life;
  life.enrols();
  life.finishes(some_task());
  life.meets(LinkLost{"gone"});
  life.meets(Rested{});
  life.meets(Welcome{"other", "gold", {}});
  life.must<AskForTask>();
}

TEST(AgentState, DoesNotDoTheSameTaskTwice) {
  Life life;
  life.enrols();
  life.finishes(some_task());
  life.meets(UpdatePushed{});
  life.meets(Receipt::Accepted);
  life.meets(some_task());
  life.must<PushUpdate>();
  life.meets(UpdatePushed{});
  EXPECT_EQ(life.must<HandIn>().result.task, some_task().id);
  life.meets(Receipt::Duplicate);
  life.must<AskForTask>();
  Task again = some_task();
  again.id.attempt = 1;
  life.meets(again);
  life.must<FetchNetwork>();
}

TEST(AgentState, ForgetsAWithdrawnTask) {
  Life life;
  life.enrols();
  life.meets(some_task());
  life.meets(NetworkFetched{});
  life.meets(TaskWithdrawn{});
  life.must<AskForTask>();
  EXPECT_FALSE(life.state.task);
}

TEST(AgentState, RefusesWhatMakesNoSense) {
  const auto refused = [](Task task) {
    Life life;
    life.enrols();
    life.meets(task);
    EXPECT_EQ(life.must<HandIn>().result.end, TaskEnd::Refused);
    EXPECT_FALSE(life.must<HandIn>().result.message.empty());
  };
  Task task = some_task();
  task.id.run = "other";
  refused(task);
  task = some_task();
  task.network.sha256 = "../../etc/passwd";
  refused(task);
  task = some_task();
  task.network.size = std::uint64_t{1} << 40U;
  refused(task);
  task = some_task();
  task.work = TrainWork{.local_epochs = 0};
  refused(task);
  task.work = TrainWork{.local_epochs = 1, .share = 1.5};
  refused(task);
  task.work = EvaluateWork{-1};
  refused(task);
  task.work = PruneWork{.network = "vgg11", .gone = 1};
  refused(task);
  task = some_task();
  task.learning.learning_rate = std::numeric_limits<double>::quiet_NaN();
  refused(task);
  task = some_task();
  task.learning.batch = 0;
  refused(task);
}

TEST(AgentState, EndsWhenAskedToWhateverItDoes) {
  for (const bool is_working : {false, true}) {
    Life life;
    life.enrols();
    if (is_working) life.meets(some_task());
    life.meets(StopAsked{});
    EXPECT_EQ(life.must<EndAgent>().error, std::nullopt);
  }
}

}  // namespace
}  // namespace espalier
