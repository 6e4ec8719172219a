// SPDX-License-Identifier: Apache-2.0
// A link and a server, for real: gRPC, mutual TLS, files.
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "fakes/orchestrator_site.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

Hello hello_of(const std::string& incarnation) {
  Hello hello;
  hello.nodes = "gold";
  hello.incarnation = incarnation;
  return hello;
}

Task some_task(const ObjectRef& network) {
  Task task;
  task.id = {"run-1", 3, 1, 0};
  task.network = network;
  task.work = TrainWork{2, 0.5};
  task.update_limit = 1000;
  return task;
}

TaskResult some_result() {
  TaskResult result;
  result.task = {"run-1", 3, 1, 0};
  result.loss = {0.5};
  result.samples = 100;
  result.energy = {{2}, Provenance::Measured, "RAPL"};
  return result;
}

std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint64_t state = 1;
  for (char& c : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    c = static_cast<char>(state >> 56);
  }
  return bytes;
}

// The error code of what `act` throws; fails the test if it throws nothing.
template <class Act>
ErrorCode code_of(Act&& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::Bug;
}

class LinkTest : public testing::Test {
 protected:
  GrpcLink& enrolled() {
    link_.emplace(site_.link_options("n1"));
    link_->enrol(hello_of("a"), {});
    return *link_;
  }

  OrchestratorSite site_;
  std::optional<GrpcLink> link_;
};

TEST_F(LinkTest, EnrolsUnderTheNameInTheCertificate) {
  GrpcLink link(site_.link_options("n1"));
  const Welcome welcome = link.enrol(hello_of("a"), {});
  EXPECT_EQ(welcome.run, "run-1");
  EXPECT_EQ(welcome.nodes, "gold");
  EXPECT_EQ(welcome.heartbeat, milliseconds(1500));
}

TEST_F(LinkTest, TellsWhyTheDeskRefuses) {
  GrpcLink link(site_.link_options("n1"));
  Hello hello = hello_of("a");
  hello.nodes = "unknown";
  try {
    link.enrol(hello, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::NotAllowed);
    EXPECT_STREQ(error.what(), "the orchestrator refuses: no such node set");
  }
  ASSERT_EQ(site_.notices().size(), 1U);
  EXPECT_NE(site_.notices()[0].find("refused n1"), std::string::npos);
}

TEST_F(LinkTest, PullsATaskThatComesLater) {
  GrpcLink& link = enrolled();
  auto pulled = std::async([&] { return link.pull(milliseconds(5000), {}); });
  while (!site_.desk.give({"n1"}, some_task({std::string(64, 'a'), 5}))) std::this_thread::yield();
  const Pulled got = pulled.get();
  const Task& task = std::get<Task>(got);
  EXPECT_EQ(task.id, (TaskId{"run-1", 3, 1, 0}));
  EXPECT_EQ(std::get<TrainWork>(task.work).share, 0.5);
}

TEST_F(LinkTest, BeatsWhileItPulls) {
  GrpcLink& link = enrolled();
  auto pulled = std::async([&] { return link.pull(milliseconds(5000), {}); });
  EXPECT_TRUE(link.heartbeat({}, {}));
  EXPECT_FALSE(link.heartbeat(TaskId{"run-1", 0, 0, 0}, {}));
  EXPECT_EQ(site_.desk.heartbeats, 2);
  while (!site_.desk.give({"n1"}, Dismissal{"the end"})) std::this_thread::yield();
  EXPECT_EQ(std::get<Dismissal>(pulled.get()).reason, "the end");
}

TEST_F(LinkTest, StopsWaitingWhenItIsAskedTo) {
  GrpcLink& link = enrolled();
  std::stop_source stop;
  auto pulled = std::async([&] { link.pull(milliseconds(25'000), stop.get_token()); });
  stop.request_stop();
  EXPECT_EQ(code_of([&] { pulled.get(); }), ErrorCode::RunFailed);
}

TEST_F(LinkTest, AReplayedResultIsADuplicate) {
  GrpcLink& link = enrolled();
  EXPECT_EQ(link.report(some_result(), {}), Receipt::Accepted);
  EXPECT_EQ(link.report(some_result(), {}), Receipt::Duplicate);
  GrpcLink other(site_.link_options("n2"));
  other.enrol(hello_of("b"), {});
  EXPECT_EQ(other.report(some_result(), {}), Receipt::Accepted);
  EXPECT_EQ(site_.desk.results(), 2U);
}

TEST_F(LinkTest, FetchesObjectsOfAllSizes) {
  GrpcLink& link = enrolled();
  for (const std::size_t size : {0UL, 1UL, 131'072UL, 131'073UL, 3'000'000UL}) {
    const std::string bytes = noise(size);
    const ObjectRef object = site_.store.add(bytes);
    link.fetch(object, site_.folder / "fetched", {});
    EXPECT_EQ(site_.folder.read("fetched"), bytes) << size;
  }
  EXPECT_FALSE(std::filesystem::exists(site_.folder / "fetched.part"));
}

TEST_F(LinkTest, PushesObjectsOfAllSizes) {
  GrpcLink& link = enrolled();
  for (const std::size_t size : {0UL, 1UL, 131'072UL, 131'073UL, 3'000'000UL}) {
    const std::string bytes = noise(size);
    const ObjectRef object = object_of(bytes);
    site_.folder.write("update", bytes);
    link.push(object, site_.folder / "update", {});
    ASSERT_TRUE(site_.store.has(object)) << size;
    EXPECT_EQ(site_.store.read(object, 0, size + 1), bytes) << size;
    link.push(object, site_.folder / "update", {});
  }
}

TEST_F(LinkTest, GoesOnWhereAnEarlierFetchEnded) {
  GrpcLink& link = enrolled();
  const std::string bytes = noise(1'000'000);
  const ObjectRef object = site_.store.add(bytes);
  site_.folder.write("fetched.part", bytes.substr(0, 700'000));
  link.fetch(object, site_.folder / "fetched", {});
  EXPECT_EQ(site_.folder.read("fetched"), bytes);
}

TEST_F(LinkTest, StartsAnewAfterADamagedPart) {
  GrpcLink& link = enrolled();
  const std::string bytes = noise(1'000'000);
  const ObjectRef object = site_.store.add(bytes);
  site_.folder.write("fetched.part", "not what it should be");
  EXPECT_EQ(code_of([&] { link.fetch(object, site_.folder / "fetched", {}); }),
            ErrorCode::RunFailed);
  EXPECT_FALSE(std::filesystem::exists(site_.folder / "fetched"));
  link.fetch(object, site_.folder / "fetched", {});
  EXPECT_EQ(site_.folder.read("fetched"), bytes);
}

}  // namespace
}  // namespace espalier
