// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <netinet/in.h>

namespace espalier {

// For whatever should happen soon, on a busy machine as well.
inline constexpr std::chrono::milliseconds kLongEnough{10'000};

inline bool comes(int socket, short event, std::chrono::milliseconds within = kLongEnough) {
  pollfd ready{socket, event, 0};
  return ::poll(&ready, 1, static_cast<int>(within.count())) == 1;
}

// Free at this moment.
inline int some_free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return ntohs(address.sin_port);
}

}  // namespace espalier
