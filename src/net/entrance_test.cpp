// SPDX-License-Identifier: Apache-2.0
#include "net/entrance.h"

#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <sys/resource.h>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "net/addresses.h"
#include "support/sockets.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

// All descriptors that this process may still have, at most 256 in all.
class NoDescriptors {
 public:
  NoDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = 256;
    ::setrlimit(RLIMIT_NOFILE, &few);
    for (;;) {
      Descriptor taken(::open("/dev/null", O_RDONLY | O_CLOEXEC));
      if (taken.value() < 0) break;
      taken_.push_back(std::move(taken));
    }
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
  std::vector<Descriptor> taken_;
};

class EntranceTest : public testing::Test {
 protected:
  Descriptor newcomer() const {
    Descriptor socket = connect_to("ipv4:127.0.0.1:" + std::to_string(entrance_.port()));
    EXPECT_TRUE(comes(socket.value(), POLLOUT));
    return socket;
  }
  // From somebody who was let in: whoever came before is known to be there.
  sockaddr_storage address_of_entrance() {
    const Descriptor guide = newcomer();
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    EXPECT_EQ(::getpeername(guide.value(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    ::send(guide.value(), "o", 1, MSG_NOSIGNAL);
    EXPECT_TRUE(has_let_in(1));
    return address;
  }
  void let_in(Descriptor socket) {
    const std::lock_guard lock(mutex_);
    in_.push_back(std::move(socket));
  }
  bool has_let_in(std::size_t count) {
    for (int i = 0; i < 1000; ++i, std::this_thread::sleep_for(milliseconds(10))) {
      const std::lock_guard lock(mutex_);
      if (in_.size() == count) return true;
    }
    return false;
  }

  std::mutex mutex_;
  std::vector<Descriptor> in_;  // guarded by mutex_
  Entrance entrance_{{.address = "127.0.0.1:0",
                      .first_of_grpc = 'P',
                      .patience = 10 * kLongEnough,
                      .most_silent = 2},
                     {.to_grpc = [this](Descriptor socket) { let_in(std::move(socket)); },
                      .to_streams = [this](Descriptor socket) { let_in(std::move(socket)); },
                      .refused = [](const std::string&) {}}};
};

TEST_F(EntranceTest, TheOldestSilentOneHasToGo) {
  std::vector<Descriptor> silent;
  silent.reserve(4);
  for (int i = 0; i < 4; ++i) silent.push_back(newcomer());
  EXPECT_TRUE(comes(silent[0].value(), POLLIN));
  EXPECT_TRUE(comes(silent[1].value(), POLLIN));
  EXPECT_FALSE(comes(silent[2].value(), POLLIN, milliseconds(0)));
  EXPECT_FALSE(comes(silent[3].value(), POLLIN, milliseconds(0)));
  ::send(silent[2].value(), "o", 1, MSG_NOSIGNAL);
  ::send(silent[3].value(), "P", 1, MSG_NOSIGNAL);
  EXPECT_TRUE(has_let_in(2));
}

TEST_F(EntranceTest, WithoutDescriptorsItWaitsForOthersToGo) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const Descriptor late(socket);
  const sockaddr_storage address = address_of_entrance();
  {
    const NoDescriptors none;
    ASSERT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::send(socket, "o", 1, MSG_NOSIGNAL);
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(milliseconds(500));
    EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 4);
  }
  EXPECT_TRUE(has_let_in(2));
}

TEST_F(EntranceTest, WithoutDescriptorsWhoSaysNothingHasToGo) {
  const Descriptor silent = newcomer();
  const sockaddr_storage address = address_of_entrance();
  const Descriptor late(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const NoDescriptors none;
  ASSERT_EQ(::connect(late.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
            0);
  ::send(late.value(), "o", 1, MSG_NOSIGNAL);
  EXPECT_TRUE(comes(silent.value(), POLLIN));
  EXPECT_TRUE(has_let_in(2));
}

}  // namespace
}  // namespace espalier
