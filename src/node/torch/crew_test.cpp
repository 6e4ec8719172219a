// SPDX-License-Identifier: Apache-2.0
// The processes of these groups are threads: what matters to them is that they meet in a folder,
// and add up over loopback.
#include "node/torch/crew.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "node/crew_order.h"
#include "node/node_fixtures.h"
#include "node/torch/crew_texts.h"
#include "node/torch/meeting_place.h"
#include "support/sockets.h"
#include "support/text.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// One that takes its time, or all of it.
class LateMeter final : public Meter {
 public:
  EnergyReading read() override {
    is_frozen.wait(true);
    std::this_thread::sleep_for(delay);
    return {{}, Provenance::Modelled, "late"};
  }
  void thaw() {
    is_frozen = false;
    is_frozen.notify_all();
  }
  std::atomic<bool> is_frozen = false;
  milliseconds delay{0};
};

class Crews : public testing::Test {
 protected:
  using Time = std::chrono::steady_clock;

  CrewAddress at(int rank, int size = 2) const { return {rank, size, folder_}; }
  std::filesystem::path meeting() const {
    return std::filesystem::temp_directory_path() / (folder_ + "-" + std::to_string(::geteuid()));
  }

  std::jthread& start_follower(int rank, int size = 2) { return start_follower(at(rank, size)); }
  std::jthread& start_follower(const CrewAddress& address) {
    return followers_.emplace_back([this, address](const std::stop_token& stop) {
      CrewOptions patient;
      patient.say = options_.say;
      try {
        follow(address, {data_.images, {late_, late_}, clock_}, patient, stop);
      } catch (const Error& error) {
        note(error.what());
      }
    });
  }
  // One that breaks down as it is written down here.
  std::jthread& start_broken(const std::function<void()>& act) {
    return followers_.emplace_back([this, act] {
      try {
        act();
      } catch (const std::exception& error) {
        note(error.what());
      }
    });
  }
  static void end(std::jthread& follower) {
    follower.request_stop();
    follower.join();
  }

  std::unique_ptr<CrewLeader> lead(int size = 2) {
    return CrewLeader::gather(at(0, size), data_.images, options_);
  }
  EpochOutcome train(CrewLeader& leader, const Epoch& epoch = {}) {
    LearnerOptions options;
    options.batch = 8;
    learner_ = leader.learners()(options)(small_network());
    return learner_->train(spread_over(data_.images, data_.images.size()), epoch);
  }
  // The same task.
  EpochOutcome go_on(const Epoch& epoch) {
    return learner_->train(spread_over(data_.images, data_.images.size()), epoch);
  }
  // Until both take part again: of those that are back, one may come too late for an epoch.
  void train_until_both_are_back(CrewLeader& leader) {
    const auto end = Time::now() + seconds(60);
    while (!contains(said(), "the group is now 2 of 2") && Time::now() < end) {
      try {
        train(leader);
      } catch (const Error& error) {
        note(error.what());
      }
    }
    EXPECT_TRUE(contains(said(), "the group is now 2 of 2")) << said();
  }
  // Where the energy of the last task comes from.
  static std::string energy_of(CrewLeader& leader) {
    return leader.with_others({{1}, Provenance::Modelled, "own"}).source;
  }

  void note(std::string_view line) {
    const std::lock_guard guard(mutex_);
    said_ += std::string(line) + "\n";
  }
  std::string said() {
    const std::lock_guard guard(mutex_);
    return said_;
  }

  static inline std::atomic<int> crews_ = 0;
  const std::string folder_ =
      "espalier-group-test-" + std::to_string(::getpid()) + "-" + std::to_string(++crews_);
  const OwnData data_ = some_images(48);
  fakes::FakeClock clock_;
  LateMeter late_;
  std::mutex mutex_;
  std::string said_;
  CrewOptions options_{.say = [this](std::string_view line) { note(line); }};
  std::unique_ptr<Learner> learner_;
  std::list<std::jthread> followers_;
};

TEST_F(Crews, TrainTogether) {
  start_follower(1);
  auto leader = lead();
  EXPECT_EQ(train(*leader).samples, 48);
  EXPECT_EQ(energy_of(*leader), "own; 2 processes on 1 machine");
  leader.reset();
  followers_.clear();
  EXPECT_EQ(said(), "a group of 2 processes\n");
  EXPECT_FALSE(std::filesystem::exists(meeting()));
}

TEST_F(Crews, DoNotWaitForWhoHasLeft) {
  std::jthread& follower = start_follower(1);
  auto leader = lead();
  end(follower);
  const auto left = Time::now();
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  leader.reset();
  EXPECT_LT(Time::now() - left, options_.answer_patience);
  EXPECT_TRUE(contains(said(), "rank 1 leaves")) << said();
  EXPECT_TRUE(contains(said(), "the group is now 1 of 2")) << said();
}

TEST_F(Crews, DoNotWaitAtTheEndForWhoHasLeft) {
  std::jthread& follower = start_follower(1);
  auto leader = lead();
  end(follower);
  const auto left = Time::now();
  leader.reset();
  EXPECT_LT(Time::now() - left, options_.answer_patience);
}

TEST_F(Crews, FailATaskWhenOneIsAskedToStopAndCountItsEnergy) {
  std::jthread& follower = start_follower(1);
  auto leader = lead();
  Epoch epoch;
  epoch.seen = [&](int64_t) { follower.request_stop(); };
  try {
    train(*leader, epoch);
    ADD_FAILURE() << "nobody withdrew the task";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_TRUE(contains(error.what(), "asked to stop")) << error.what();
  }
  EXPECT_EQ(energy_of(*leader), "own; 2 processes on 1 machine");
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished) << "it goes on without";
  EXPECT_EQ(energy_of(*leader), "own");
}

TEST_F(Crews, CountTheEnergyOfWhoHasLeftBetweenEpochs) {
  std::jthread& follower = start_follower(1);
  auto leader = lead();
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  end(follower);
  EXPECT_EQ(go_on({1}).end, EpochEnd::Finished);
  EXPECT_EQ(energy_of(*leader), "own; 2 processes on 1 machine");
  EXPECT_TRUE(contains(said(), "the group is now 1 of 2")) << said();
}

// All of them stop, and nobody is to blame.
TEST_F(Crews, EndATaskThatIsWithdrawn) {
  start_follower(1);
  auto leader = lead();
  std::stop_source stop;
  Epoch epoch{0, stop.get_token()};
  epoch.seen = [&](int64_t) { stop.request_stop(); };
  EXPECT_EQ(train(*leader, epoch).end, EpochEnd::Stopped);
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  EXPECT_EQ(energy_of(*leader), "own; 2 processes on 1 machine");
}

TEST_F(Crews, StayTogetherWhenATaskIsWithdrawnWhileTheyGather) {
  start_follower(1);
  auto leader = lead();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(train(*leader, {0, stop.get_token()}).end, EpochEnd::Stopped);
  const auto stopped = Time::now();
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  EXPECT_LT(Time::now() - stopped, options_.answer_patience);
  EXPECT_EQ(energy_of(*leader), "own; 2 processes on 1 machine");
  EXPECT_EQ(said(), "a group of 2 processes\n");
}

TEST_F(Crews, WantNoAccountOfATaskThatIsWithdrawnBetweenEpochs) {
  start_follower(1);
  auto leader = lead();
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(go_on({1, stop.get_token()}).end, EpochEnd::Stopped);
  EXPECT_EQ(energy_of(*leader), "own");
}

// Whoever is well finds out later than the leader, and has to ask its meter.
TEST_F(Crews, CountTheEnergyOfWhoIsWellWhenAnotherBreaksDown) {
  late_.delay = milliseconds(200);
  start_follower(1, 3);
  start_broken([this] {
    MeetingPlace place(at(2, 3));
    place.put(data_key(2), fingerprint_of(data_.images));
    const auto order = place.wait_for(order_key(1), seconds(60));
    place.put(answer_key(1, 2), "here");
    place.wait_for(crew_key(1), seconds(60));
    GlooGroup group = place.form(group_key(1), {0, 1, 2}, seconds(60));
    std::string bytes(order_in(order.value_or("")).value_or(CrewOrder{}).network_bytes, '\0');
    group.hand_out(bytes);
  });
  options_.answer_patience = seconds(5);
  auto leader = lead(3);
  EXPECT_THROW(train(*leader), Error);
  EXPECT_EQ(energy_of(*leader), "own; 2 of 3 processes");
}

// Its own step would last longer than the others wait for what it used.
TEST_F(Crews, DoNotWaitForWhoLeavesBeforeTheGroupIsFormed) {
  start_follower(1, 3);
  start_broken([this] {
    MeetingPlace place(at(2, 3));
    place.put(data_key(2), fingerprint_of(data_.images));
    place.wait_for(order_key(1), seconds(60));
    place.put(answer_key(1, 2), "here");
    place.wait_for(crew_key(1), seconds(60));
    place.put(left_key(2), "gone");
  });
  auto leader = lead(3);
  EXPECT_THROW(train(*leader), Error);
  EXPECT_EQ(energy_of(*leader), "own; 2 of 3 processes");
}

// As on a full disk: a folder is in the way of the file that it writes to.
TEST_F(Crews, GoOnWithOneThatHadNoRoomForAWhile) {
  options_.step_patience = seconds(5);
  options_.answer_patience = seconds(2);
  start_follower(1);
  auto leader = lead();
  const auto in_the_way = [&](const std::string& key) {
    return meeting() / (object_of(key).sha256 + ".new1");
  };
  std::filesystem::create_directory(in_the_way(energy_key(1, 1)));
  std::filesystem::create_directory(in_the_way(answer_key(2, 1)));
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  EXPECT_EQ(energy_of(*leader), "own; 1 of 2 processes");
  EXPECT_EQ(train(*leader).end, EpochEnd::Finished);
  EXPECT_TRUE(contains(said(), "cannot write to this folder")) << said();
  EXPECT_TRUE(contains(said(), "the group is now 1 of 2")) << said();
  train_until_both_are_back(*leader);
}

TEST_F(Crews, TakeBackWhoThawsWithoutDelay) {
  options_.step_patience = seconds(5);
  options_.answer_patience = seconds(2);
  late_.is_frozen = true;
  start_follower(1);
  auto leader = lead();
  EXPECT_THROW(train(*leader), Error) << "it answers, and is not heard of again";
  EXPECT_EQ(energy_of(*leader), "own; 1 of 2 processes");
  train(*leader);
  EXPECT_EQ(energy_of(*leader), "own");
  late_.thaw();
  train_until_both_are_back(*leader);
}

TEST_F(Crews, WaitAtTheEndForWhoWasLeftOutAndHasThawed) {
  options_.step_patience = seconds(1);
  options_.answer_patience = seconds(2);
  late_.is_frozen = true;
  late_.delay = milliseconds(100);
  std::jthread& follower = start_follower(1);
  auto leader = lead();
  EXPECT_THROW(train(*leader), Error);
  train(*leader);
  EXPECT_TRUE(contains(said(), "the group is now 1 of 2")) << said();
  late_.thaw();
  leader.reset();
  follower.join();
  EXPECT_FALSE(contains(said(), "is gone")) << said();
}

TEST_F(Crews, CanBeStoppedBeforeAllHaveCome) {
  start_follower(1, 3);
  std::stop_source stop;
  const std::jthread user([&] {
    std::this_thread::sleep_for(milliseconds(100));
    stop.request_stop();
  });
  const auto begin = Time::now();
  EXPECT_FALSE(CrewLeader::gather(at(0, 3), data_.images, options_, stop.get_token()));
  followers_.clear();
  EXPECT_LT(Time::now() - begin, options_.answer_patience);
  EXPECT_EQ(said(), "") << "who had come was sent home";
  EXPECT_FALSE(std::filesystem::exists(meeting()));
}

TEST_F(Crews, CanBeStoppedBeforeTheirLeaderHasCome) {
  const auto port = static_cast<std::uint16_t>(some_free_port());
  for (const CrewAddress& address : {at(1), CrewAddress{1, 2, "", "127.0.0.1", port}}) {
    std::jthread& follower = start_follower(address);
    std::this_thread::sleep_for(milliseconds(100));
    const auto asked = Time::now();
    end(follower);
    EXPECT_LT(Time::now() - asked, seconds(20)) << address.host;
    EXPECT_EQ(said(), "");
  }
}

TEST_F(Crews, SayWhatToDoWhereAnotherOneMeetsAlready) {
  start_follower(1);
  const auto leader = lead();
  try {
    lead();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "another group meets there already")) << error.what();
    EXPECT_EQ(error.hint(), "--group HOST:PORT names a place of its own");
  }
}

}  // namespace
}  // namespace espalier
