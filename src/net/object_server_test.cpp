// SPDX-License-Identifier: Apache-2.0
// What needs no network: the two ends of each stream are in this process, and plain text.
#include "net/object_server.h"

#include <sys/ioctl.h>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "fakes/desk.h"
#include "net/addresses.h"
#include "objects/file_object_store.h"
#include "support/sockets.h"
#include "support/temporary_folder.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

struct Ends {
  Descriptor node;
  Descriptor orchestrator;
};

Ends connected() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void say(const Descriptor& end, std::string_view bytes) {
  EXPECT_EQ(::send(end.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

// Within some time, after whatever came.
bool is_closed(const Descriptor& end) {
  char room[4096];
  while (comes(end.value(), POLLIN))
    if (::recv(end.value(), room, sizeof room, 0) <= 0) return true;
  return false;
}

bool is_open(const Descriptor& end) { return !comes(end.value(), POLLIN, milliseconds(0)); }

class ObjectServerTest : public testing::Test {
 protected:
  static std::string request_of(const std::string& node) {
    return framed(encode(StreamRequest{OfferedObject{"a", object_of("an update")}, node}));
  }

  const TemporaryFolder folder_;
  FileObjectStore store_{folder_ / "objects"};
  FakeDesk desk_{store_};
  std::vector<std::string> notices_;
  Reception reception_{
      desk_, [this](const std::string& line) { notices_.push_back(line); }, {}, {}};
  std::string room_ = std::string(65'536, ' ');
};

TEST_F(ObjectServerTest, TheOldestStrangerHasToGo) {
  ObjectServer server(reception_, nullptr,
                      {.threads = 1, .patience = 10 * kLongEnough, .most_strangers = 2});
  Ends known = connected();
  server.serve(std::move(known.orchestrator));
  say(known.node, std::string(kStreamPreamble) + request_of("n1"));
  ASSERT_TRUE(comes(known.node.value(), POLLIN));
  char answer[64];
  ASSERT_GT(::recv(known.node.value(), answer, sizeof answer, 0), 0);
  std::vector<Descriptor> strangers;
  for (int i = 0; i < 4; ++i) {
    Ends ends = connected();
    server.serve(std::move(ends.orchestrator));
    strangers.push_back(std::move(ends.node));
  }
  EXPECT_TRUE(is_closed(strangers[0]));
  EXPECT_TRUE(is_closed(strangers[1]));
  EXPECT_TRUE(is_open(strangers[2]));
  EXPECT_TRUE(is_open(strangers[3]));
  EXPECT_TRUE(is_open(known.node));
}

TEST_F(ObjectServerTest, WhatIsOverStaysOver) {
  Ends ends = connected();
  ServedStream stream(std::move(ends.orchestrator), reception_, nullptr);
  say(ends.node, "objects9");
  EXPECT_EQ(stream.turn(room_), StreamWait::Nothing);
  say(ends.node, "objects9");
  EXPECT_EQ(stream.turn(room_), StreamWait::Nothing);
  EXPECT_EQ(notices_.size(), 1U);
}

// Room for more than one turn takes, on its way.
Ends connected_by_tcp() {
  const auto listeners = listen_on("127.0.0.1:0");
  const int much = 4 << 20;
  ::setsockopt(listeners[0].value(), SOL_SOCKET, SO_RCVBUF, &much, sizeof much);
  Ends ends;
  ends.node = connect_to("ipv4:127.0.0.1:" + std::to_string(port_of(listeners[0])));
  EXPECT_TRUE(comes(listeners[0].value(), POLLIN));
  ends.orchestrator = Descriptor(::accept4(listeners[0].value(), nullptr, nullptr, SOCK_NONBLOCK));
  return ends;
}

TEST_F(ObjectServerTest, WhoWasSentAwayAndSendsOnHoldsNoThread) {
  Ends ends = connected_by_tcp();
  const int socket = ends.orchestrator.value();
  ServedStream stream(std::move(ends.orchestrator), reception_, nullptr);
  say(ends.node, std::string(kStreamPreamble) + std::string(2, '\0'));
  while (notices_.empty()) stream.turn(room_);
  const std::string flood(1 << 20, 'x');
  int waiting = 0;
  while (::send(ends.node.value(), flood.data(), flood.size(), MSG_NOSIGNAL) > 0) {
  }
  ::ioctl(socket, FIONREAD, &waiting);
  if (waiting < 900'000) GTEST_SKIP() << "sockets of this machine take " << waiting << " bytes";
  EXPECT_EQ(stream.turn(std::span(room_).first(4096)), StreamWait::ToReceive);
  int left = 0;
  ::ioctl(socket, FIONREAD, &left);
  EXPECT_GT(left, 0);
}

}  // namespace
}  // namespace espalier
