// SPDX-License-Identifier: Apache-2.0
// What breaks between nodes and orchestrator, made to break: processes are killed and frozen, links
// cut and silenced.
#include <chrono>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/orchestrator_site.h"
#include "peer.h"
#include "relay.h"
#include "support/messages.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMegabyte = 1 << 20;
constexpr std::uint64_t kSize = 12 * kMegabyte;
// Handshakes, frames and headers: 1 % of the bytes.
constexpr std::uint64_t kOverhead = kSize / 100;
constexpr milliseconds kPatience{1500};

std::string some_bytes() {
  std::string bytes(kSize, '\0');
  std::uint64_t state = 7;
  for (char& c : bytes) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    c = static_cast<char>(state >> 56);
  }
  return bytes;
}

class FaultTest : public testing::Test {
 protected:
  FaultTest() { file_ = site_.folder.write("update", bytes_); }

  GrpcLink link_to(const std::string& address) {
    LinkOptions options = site_.link_options("n1");
    options.address = address;
    options.patience = kPatience;
    return GrpcLink(options);
  }

  static void enrol(GrpcLink& link) {
    Hello hello;
    hello.incarnation = "a";
    link.enrol(hello, {});
  }

  // Until it works; the link may need a moment to connect again.
  static void persist(const std::function<void()>& act) {
    for (int attempt = 0;; ++attempt) {
      try {
        return act();
      } catch (const Error& error) {
        ASSERT_EQ(error.code(), ErrorCode::RunFailed) << error.what();
        ASSERT_LT(attempt, 50) << error.what();
        std::this_thread::sleep_for(milliseconds(50));
      }
    }
  }

  // `act` fails as something that can be tried again, and soon.
  static void expect_given_up(const std::function<void()>& act) {
    const auto begin = Clock::now();
    try {
      act();
      ADD_FAILURE() << "it worked";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::RunFailed) << error.what();
    }
    EXPECT_LT(Clock::now() - begin, 3 * kPatience);
  }

  OrchestratorSite site_;
  const std::string bytes_ = some_bytes();
  const ObjectRef object_ = object_of(bytes_);
  std::filesystem::path file_;
};

TEST_F(FaultTest, AnUploadGoesOnWhereTheLinkWasCut) {
  Relay relay(site_.server->port());
  GrpcLink link = link_to(relay.address());
  enrol(link);
  relay.cut_after_sent(8 * kMegabyte);
  expect_given_up([&] { link.push(object_, file_, {}); });
  const std::uint64_t there = site_.store.received(object_);
  EXPECT_GT(there, 6 * kMegabyte);
  relay.mend();
  persist([&] { link.push(object_, file_, {}); });
  EXPECT_TRUE(site_.store.has(object_));
  EXPECT_LE(relay.sent(), kSize + kMegabyte + kOverhead);
}

TEST_F(FaultTest, AnUploadGoesOnWhereItsProcessWasKilled) {
  Relay relay(site_.server->port());
  const auto files = site_.certificates.issue("n2", for_a_day());
  relay.silence_after_sent(8 * kMegabyte);
  {
    Peer peer({"push", relay.address(), files.string(), "20000", file_.string()});
    while (!relay.is_silent()) std::this_thread::sleep_for(milliseconds(5));
    peer.signal(SIGKILL);
    EXPECT_EQ(peer.wait(), -1);
  }
  relay.mend();
  const std::uint64_t there = site_.store.received(object_);
  EXPECT_GT(there, 6 * kMegabyte);
  EXPECT_LT(there, kSize);
  Peer again({"push", relay.address(), files.string(), "20000", file_.string()});
  EXPECT_EQ(again.line(), "safe");
  EXPECT_TRUE(site_.store.has(object_));
  EXPECT_LE(relay.sent(), kSize + kMegabyte + kOverhead);
}

TEST_F(FaultTest, ADownloadGoesOnWhereTheLinkWasCut) {
  site_.store.add(bytes_);
  Relay relay(site_.server->port());
  GrpcLink link = link_to(relay.address());
  enrol(link);
  relay.cut_after_received(8 * kMegabyte);
  const auto to = site_.folder / "fetched";
  expect_given_up([&] { link.fetch(object_, to, {}); });
  EXPECT_FALSE(std::filesystem::exists(to));
  EXPECT_GT(std::filesystem::file_size(site_.folder / "fetched.part"), 2 * kMegabyte);
  const std::uint64_t before = relay.received();
  const std::uint64_t kept = std::filesystem::file_size(site_.folder / "fetched.part");
  relay.mend();
  persist([&] { link.fetch(object_, to, {}); });
  EXPECT_EQ(object_in(to), object_);
  EXPECT_LE(relay.received() - before, kSize - kept + kOverhead);
}

TEST_F(FaultTest, AResultWhoseAcknowledgementIsLostCountsOnce) {
  Relay relay(site_.server->port());
  GrpcLink link = link_to(relay.address());
  enrol(link);
  const TaskResult result = sample_result().result;
  relay.hold_answers();
  std::jthread cutter([&] {
    while (site_.desk.results() == 0) std::this_thread::sleep_for(milliseconds(1));
    relay.mend();
  });
  expect_given_up([&] { link.report(result, {}); });
  cutter.join();
  Receipt receipt{};
  persist([&] { receipt = link.report(result, {}); });
  EXPECT_EQ(receipt, Receipt::Duplicate);
  EXPECT_EQ(site_.desk.results(), 1U);
}

TEST_F(FaultTest, ASilentLinkHoldsNobodyLongerThanPatience) {
  Relay relay(site_.server->port());
  GrpcLink link = link_to(relay.address());
  enrol(link);
  relay.silence_after_sent(4 * kMegabyte);
  expect_given_up([&] { link.push(object_, file_, {}); });
  expect_given_up([&] { link.heartbeat({}, {}); });
  relay.mend();
  persist([&] { link.push(object_, file_, {}); });
  EXPECT_TRUE(site_.store.has(object_));
}

TEST_F(FaultTest, AFrozenServerHoldsNobodyLongerThanPatience) {
  const auto objects = site_.folder / "others";
  FileObjectStore(objects).add("a network");
  Peer server({"serve", "127.0.0.1:0", site_.certificates.path().string(), objects.string()});
  GrpcLink link = link_to(server.line());
  enrol(link);
  server.freeze();
  expect_given_up([&] { link.heartbeat({}, {}); });
  expect_given_up([&] { link.pull(milliseconds(100), {}); });
  expect_given_up([&] { link.push(object_, file_, {}); });
  expect_given_up([&] { link.fetch(object_of("a network"), site_.folder / "network", {}); });
  server.signal(SIGCONT);
  persist([&] { link.fetch(object_of("a network"), site_.folder / "network", {}); });
  EXPECT_EQ(site_.folder.read("network"), "a network");
}

TEST_F(FaultTest, AServerFrozenInMidUploadHoldsNobody) {
  const auto objects = site_.folder / "others";
  Peer server({"serve", "127.0.0.1:0", site_.certificates.path().string(), objects.string()});
  const std::string address = server.line();
  Relay relay(std::stoi(address.substr(address.rfind(':') + 1)));
  GrpcLink link = link_to(relay.address());
  enrol(link);
  relay.silence_after_sent(4 * kMegabyte);
  std::jthread freezer([&] {
    while (!relay.is_silent()) std::this_thread::sleep_for(milliseconds(1));
    server.freeze();
    relay.resume();
  });
  expect_given_up([&] { link.push(object_, file_, {}); });
  server.signal(SIGCONT);
  persist([&] { link.push(object_, file_, {}); });
  EXPECT_TRUE(FileObjectStore(objects).has(object_));
}

TEST_F(FaultTest, AnUploadGoesOnAfterTheServerWasKilled) {
  const auto objects = site_.folder / "others";
  const std::string certificates = site_.certificates.path().string();
  std::string address;
  {
    Peer server({"serve", "127.0.0.1:0", certificates, objects.string()});
    address = server.line();
    Relay relay(std::stoi(address.substr(address.rfind(':') + 1)));
    GrpcLink link = link_to(relay.address());
    enrol(link);
    relay.silence_after_sent(4 * kMegabyte);
    std::jthread killer([&] {
      while (!relay.is_silent()) std::this_thread::sleep_for(milliseconds(1));
      server.signal(SIGKILL);
      relay.resume();
    });
    expect_given_up([&] { link.push(object_, file_, {}); });
  }
  EXPECT_GT(FileObjectStore(objects).received(object_), 0U);
  Peer server({"serve", address, certificates, objects.string()});
  GrpcLink link = link_to(server.line());
  persist([&] { enrol(link); });
  persist([&] { link.push(object_, file_, {}); });
  EXPECT_TRUE(FileObjectStore(objects).has(object_));
}

TEST_F(FaultTest, AServerStopsWhileNodesWait) {
  GrpcLink link = link_to(site_.server->address());
  enrol(link);
  std::jthread waiting([&] { EXPECT_THROW(link.pull(milliseconds(25'000), {}), Error); });
  while (site_.desk.pulls == 0) std::this_thread::yield();
  const auto begin = Clock::now();
  site_.server->stop();
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
  waiting.join();
  // The desk does not know, and answers.
  EXPECT_TRUE(site_.desk.give({"n1"}, Nothing{}));
}

}  // namespace
}  // namespace espalier
