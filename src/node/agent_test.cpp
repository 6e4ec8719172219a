// SPDX-License-Identifier: Apache-2.0
#include "node/agent.h"

#include <atomic>
#include <chrono>
#include <optional>

#include <gtest/gtest.h>

#include "core/error.h"
#include "energy/system_clocks.h"
#include "fakes/fake_learner.h"
#include "fakes/memory_link.h"
#include "io/model_file.h"
#include "node/node_fixtures.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30U;

// An agent with everything it needs, and an orchestrator in memory.
class AgentTest : public testing::Test {
 protected:
  AgentEnd run() {
    const Worker worker(data_,
                        {fakes::fake_learners([this](const Epoch& e) { return on_epoch_(e); }),
                         meters_.both(), clock_});
    ObjectCache cache(folder_ / "objects", kPlenty);
    const AgentPatience patience{{0.5}, {0.2}, {0.001}, {0.01}};
    Hello hello;
    hello.samples = 10;
    hello.incarnation = new_incarnation();
    Agent agent(hello, patience,
                {link_, cache, worker, clock_, nullptr,
                 [this](std::string_view line) { said_ += std::string(line) + "\n"; }});
    return agent.run(stop_.get_token());
  }

  Task queued(std::variant<TrainWork, EvaluateWork, PruneWork> work, int epoch = 2) {
    Task task = task_of(std::move(work), epoch);
    task.network = link_.put(model_bytes(small_network()));
    link_.queue(task);
    return task;
  }

  // The first `times` calls of that name fail so.
  void break_first(const std::string& call, int times, ErrorCode code) {
    link_.before = [=, left = std::make_shared<std::atomic<int>>(times)](const std::string& name) {
      if (name == call && left->fetch_sub(1) > 0) throw Error(code, "broken on purpose");
    };
  }

  const TemporaryFolder folder_;
  const OwnData data_ = some_images(10);
  const SteadyClock clock_;
  FakeMeters meters_;
  fakes::MemoryLink link_;
  fakes::FakeLearner::OnEpoch on_epoch_ = [](const Epoch&) { return EpochEnd::Finished; };
  std::stop_source stop_;
  std::string said_;
};

TEST_F(AgentTest, DoesWhatItIsToldUntilItIsDismissed) {
  queued(TrainWork{});
  link_.queue(Nothing{});
  queued(EvaluateWork{}, 3);
  const AgentEnd end = run();
  EXPECT_FALSE(end.error);
  EXPECT_TRUE(contains(end.why, "the run is over"));
  const auto results = link_.results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].samples, 10);
  ASSERT_TRUE(results[0].update);
  EXPECT_NE(model_from_bytes(link_.object(*results[0].update), "it"), small_network());
  EXPECT_FALSE(results[1].update);
  EXPECT_EQ(link_.count("fetch"), 1) << "the network was there already";
}

TEST_F(AgentTest, OutlivesLinksThatBreakAtAnyCall) {
  for (const char* call : {"enrol", "pull", "fetch", "push", "report", "heartbeat"}) {
    for (const ErrorCode code : {ErrorCode::RunFailed, ErrorCode::NotAllowed}) {
      const std::size_t before = link_.results().size();
      break_first(call, 1, code);
      queued(TrainWork{}, static_cast<int>(before));
      if (std::string(call) == "fetch") {
        std::filesystem::remove_all(folder_ / "objects");
        queued(TrainWork{}, static_cast<int>(before));  // the orchestrator asks again
      }
      EXPECT_FALSE(run().error) << call;
      EXPECT_EQ(link_.results().size(), before + 1) << call << "\n" << said_;
    }
  }
}

TEST_F(AgentTest, TellsThatItHasNoRoomForANetworkAndGoesOn) {
  const Task first = queued(TrainWork{}, 2);
  const auto in_the_way = folder_ / "objects" / (first.network.sha256 + ".object");
  std::filesystem::create_directories(in_the_way);
  link_.before = [&, reports = 0](const std::string& call) mutable {
    if (call == "report" && ++reports == 2) std::filesystem::remove(in_the_way);
  };
  queued(TrainWork{}, 3);
  queued(TrainWork{}, 4);
  EXPECT_FALSE(run().error);
  const auto results = link_.results();
  ASSERT_EQ(results.size(), 3U) << said_;
  EXPECT_EQ(results[0].end, TaskEnd::Failed);
  EXPECT_TRUE(contains(results[0].message, "no room")) << results[0].message;
  EXPECT_EQ(results[1].end, TaskEnd::Failed);
  EXPECT_EQ(results[2].end, TaskEnd::Finished) << results[2].message;
  EXPECT_EQ(link_.hellos().size(), 1U) << "the link is all right";
}

TEST_F(AgentTest, TellsThatItsUpdateIsGone) {
  const Task task = queued(TrainWork{});
  link_.before = [&](const std::string& call) {
    if (call != "push") return;
    std::filesystem::remove_all(folder_ / "objects");
    std::filesystem::create_directories(folder_ / "objects");
  };
  EXPECT_FALSE(run().error);
  ASSERT_EQ(link_.results().size(), 1U) << said_;
  EXPECT_EQ(link_.results()[0].task, task.id);
  EXPECT_EQ(link_.results()[0].end, TaskEnd::Failed);
  EXPECT_FALSE(link_.results()[0].update);
}

TEST_F(AgentTest, EndsWhenNobodyIsThereForLong) {
  break_first("enrol", 1'000'000, ErrorCode::RunFailed);
  const AgentEnd end = run();
  EXPECT_EQ(end.error, ErrorCode::NotAllowed);
  EXPECT_EQ(end.why, "broken on purpose");
  EXPECT_GT(link_.count("enrol"), 3);
}

TEST_F(AgentTest, BeatsWhileItWorks) {
  on_epoch_ = [this](const Epoch&) {
    const int before = link_.count("heartbeat");
    while (link_.count("heartbeat") < before + 3) std::this_thread::yield();
    return EpochEnd::Finished;
  };
  queued(TrainWork{});
  EXPECT_FALSE(run().error);
  EXPECT_EQ(link_.results().size(), 1U);
}

TEST_F(AgentTest, DropsATaskThatIsWithdrawnWhileItWorks) {
  link_.is_wanted = [](const std::optional<AtWork>& at) { return !at || at->task.epoch != 2; };
  on_epoch_ = [](const Epoch& epoch) {
    while (epoch.number == 2 && !epoch.stop.stop_requested()) std::this_thread::yield();
    return epoch.stop.stop_requested() ? EpochEnd::Stopped : EpochEnd::Finished;
  };
  queued(TrainWork{}, 2);
  queued(TrainWork{}, 3);
  EXPECT_FALSE(run().error);
  ASSERT_EQ(link_.results().size(), 1U);
  EXPECT_EQ(link_.results()[0].task.epoch, 3);
}

TEST_F(AgentTest, EnrolsAnewWhileItWorksForAnOrchestratorThatWasStartedAgain) {
  std::atomic<bool> is_restarted = false;
  std::atomic<bool> knows_it = true;
  link_.before = [&](const std::string& call) {
    if (call == "enrol") knows_it = true;
    if (call != "enrol" && !knows_it) throw Error(ErrorCode::NotAllowed, "enrol first");
  };
  on_epoch_ = [&](const Epoch&) {
    knows_it = false;
    is_restarted = true;
    while (!knows_it) std::this_thread::yield();
    return EpochEnd::Finished;
  };
  queued(TrainWork{});
  EXPECT_FALSE(run().error);
  EXPECT_TRUE(is_restarted);
  EXPECT_EQ(link_.results().size(), 1U) << said_;
  EXPECT_EQ(link_.hellos().size(), 2U);
}

TEST_F(AgentTest, StopsSoonWhenAskedToInTheMiddleOfAnEpoch) {
  on_epoch_ = [this](const Epoch& epoch) {
    stop_.request_stop();
    while (!epoch.stop.stop_requested()) std::this_thread::yield();
    return EpochEnd::Stopped;
  };
  queued(TrainWork{});
  const AgentEnd end = run();
  EXPECT_FALSE(end.error);
  EXPECT_EQ(end.why, "stopped");
  EXPECT_TRUE(link_.results().empty());
}

TEST_F(AgentTest, RefusesBytesThatAreNoNetwork) {
  Task task = task_of(TrainWork{});
  task.network = link_.put("not a network at all");
  link_.queue(task);
  EXPECT_FALSE(run().error);
  ASSERT_EQ(link_.results().size(), 1U);
  EXPECT_EQ(link_.results()[0].end, TaskEnd::Refused);
}

TEST_F(AgentTest, RefusesToSendMoreThanItMay) {
  Task task = task_of(TrainWork{});
  task.network = link_.put(model_bytes(small_network()));
  task.update_limit = 100;
  link_.queue(task);
  run();
  ASSERT_EQ(link_.results().size(), 1U);
  EXPECT_EQ(link_.results()[0].end, TaskEnd::Refused);
  EXPECT_EQ(link_.count("push"), 0);
}

TEST_F(AgentTest, HandsInAgainWithoutTrainingAgain) {
  std::atomic<int> epochs = 0;
  on_epoch_ = [&](const Epoch&) {
    ++epochs;
    return EpochEnd::Finished;
  };
  queued(TrainWork{});
  queued(TrainWork{});
  run();
  EXPECT_EQ(link_.results().size(), 2U);
  EXPECT_EQ(epochs, 1);
}

TEST(ObjectCache, KeepsWhatWasUsedLastAndNoMoreThanItMay) {
  const TemporaryFolder folder;
  ObjectCache cache(folder.path(), 2'500);
  const ObjectRef a = cache.put(std::string(1'000, 'a'));
  const ObjectRef b = cache.put(std::string(1'000, 'b'));
  std::filesystem::last_write_time(cache.path_of(b),
                                   std::filesystem::file_time_type::min() + std::chrono::hours(1));
  const ObjectRef c = cache.put(std::string(1'000, 'c'));
  EXPECT_TRUE(cache.has(a));
  EXPECT_FALSE(cache.has(b));
  EXPECT_TRUE(cache.has(c));
  const ObjectRef large = cache.put(std::string(10'000, 'd'));
  EXPECT_TRUE(cache.has(large)) << "the one that is needed has room whatever its size";
}

TEST(ObjectCache, RemovesWhatIsDamagedAndFollowsNoLinks) {
  const TemporaryFolder folder;
  ObjectRef object;
  {
    ObjectCache cache(folder.path(), kPlenty);
    object = cache.put("hello");
  }
  folder.write(object.sha256 + ".object", "jello");
  ObjectCache cache(folder.path(), kPlenty);
  EXPECT_FALSE(cache.has(object));
  EXPECT_FALSE(std::filesystem::exists(cache.path_of(object)));
  folder.write("elsewhere", "hello");
  std::filesystem::create_symlink(folder / "elsewhere", cache.path_of(object));
  EXPECT_FALSE(cache.has(object));
}

TEST(ObjectCache, BelongsToOneAgentAtATime) {
  const TemporaryFolder folder;
  const ObjectCache cache(folder.path(), kPlenty);
  EXPECT_THROW(ObjectCache(folder.path(), kPlenty), Error);
  EXPECT_THROW(ObjectCache(folder.write("file", "x") / "below", kPlenty), Error);
}

TEST(CoreShare, LetsAsManyWorkAsThereArePlaces) {
  const TemporaryFolder folder;
  const CoreShare one(folder.path(), 1);
  const CoreShare other(folder.path(), 1);
  std::atomic<int> working = 0;
  std::atomic<int> most = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const auto place = (i % 2 == 0 ? one : other).take({30}, {});
      most = std::max(most.load(), ++working);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      --working;
    });
  }
  threads.clear();
  EXPECT_EQ(most, 1);
}

TEST(CoreShare, GoesOnWithoutAPlaceRatherThanWaitForever) {
  const TemporaryFolder folder;
  const CoreShare cores(folder.path(), 1);
  const auto seconds_of = [](const auto& what) {
    const auto begin = std::chrono::steady_clock::now();
    what();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  std::optional<CoreShare::Place> held(cores.take({1}, {}));
  std::optional<CoreShare::Place> shared;
  EXPECT_GE(seconds_of([&] { shared.emplace(cores.take({0.02}, {})); }), 0.02);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_LT(seconds_of([&] { cores.take({100}, stop.get_token()); }), 50);
  held.reset();
  EXPECT_LT(seconds_of([&] { cores.take({100}, {}); }), 50)
      << "who went on without a place does not hold one";
}

}  // namespace
}  // namespace espalier
