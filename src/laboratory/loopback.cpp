// SPDX-License-Identifier: Apache-2.0
#include "laboratory/loopback.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <netinet/in.h>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

[[noreturn]] void fail(const char* what) {
  throw Error(
      ErrorCode::RunFailed,
      std::string("this machine cannot talk to itself: ") + what + ": " + std::strerror(errno),
      "is the loopback interface up?");
}

// Closed with it.
class Socket {
 public:
  explicit Socket(int descriptor, const char* what) : descriptor_(descriptor) {
    if (descriptor < 0) fail(what);
  }
  ~Socket() { ::close(descriptor_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// A port that is free, at the loopback interface.
sockaddr_in listen_somewhere(const Socket& listener) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.descriptor(), generic, size) != 0) fail("bind");
  if (::listen(listener.descriptor(), 1) != 0) fail("listen");
  if (::getsockname(listener.descriptor(), generic, &size) != 0) fail("getsockname");
  return address;
}

void send_all(int to, int64_t bytes) {
  const std::vector<char> chunk(kChunk, 'e');
  while (bytes > 0) {
    const auto size = static_cast<std::size_t>(std::min<int64_t>(bytes, kChunk));
    const ssize_t sent = ::send(to, chunk.data(), size, MSG_NOSIGNAL);
    if (sent <= 0) return;  // the receiver notices
    bytes -= sent;
  }
}

void receive_all(int from, int64_t bytes) {
  std::vector<char> chunk(kChunk);
  while (bytes > 0) {
    const ssize_t got = ::recv(from, chunk.data(), chunk.size(), 0);
    if (got <= 0) fail("recv");
    bytes -= got;
  }
}

}  // namespace

Seconds loopback_time(int64_t bytes, const Clock& clock) {
  const Socket listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  const sockaddr_in address = listen_somewhere(listener);
  const Socket sender(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
  if (::connect(sender.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
      0)
    fail("connect");
  const Socket receiver(::accept4(listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC), "accept");
  const Seconds begin = clock.now();
  const std::jthread sending([&] { send_all(sender.descriptor(), bytes); });
  receive_all(receiver.descriptor(), bytes);
  return clock.now() - begin;
}

}  // namespace espalier
