// SPDX-License-Identifier: Apache-2.0
#include "net/entrance.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "core/error.h"
#include "net/addresses.h"
#include "net/stream_messages.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kLook{100};
constexpr int kAcceptedAtOnce = 64;

bool is_watched(const Descriptor& events, int socket) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = socket;
  return ::epoll_ctl(events.value(), EPOLL_CTL_ADD, socket, &event) == 0;
}

bool is_out_of_descriptors(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Entrance::Entrance(EntranceOptions options, EntranceWays ways)
    : options_(std::move(options)),
      ways_(std::move(ways)),
      listeners_(listen_on(options_.address)),
      port_(port_of(listeners_.front())),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC)) {
  for (const Descriptor& listener : listeners_)
    ESPALIER_CHECK(is_watched(events_, listener.value()));
  ESPALIER_CHECK(is_watched(events_, wake_.value()));
  thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
}

Entrance::~Entrance() {
  thread_.request_stop();
  ::eventfd_write(wake_.value(), 1);
}

void Entrance::serve(const std::stop_token& stop) {
  std::array<epoll_event, 64> ready{};
  while (!stop.stop_requested()) {
    const int wait = silent_.empty() ? -1 : static_cast<int>(kLook.count());
    const int count = ::epoll_wait(events_.value(), ready.data(), ready.size(), wait);
    for (const epoll_event& event :
         std::span(ready).first(static_cast<std::size_t>(std::max(count, 0)))) {
      const int socket = event.data.fd;
      if (socket == wake_.value()) return;
      const auto listener = std::ranges::find(listeners_, socket, &Descriptor::value);
      if (listener != listeners_.end())
        accept_some(*listener);
      else
        send_on(socket);
    }
    forget_silent();
  }
}

void Entrance::accept_some(const Descriptor& listener) {
  for (int i = 0; i < kAcceptedAtOnce; ++i) {
    Descriptor socket(::accept4(listener.value(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.value() >= 0) {
      accept(std::move(socket));
    } else if (is_out_of_descriptors(errno)) {
      // Only the first is known to be there: the others might make room for nobody.
      return i == 0 ? wait_for_descriptors() : void();
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return;
    }
  }
}

void Entrance::accept(Descriptor socket) {
  set_up_stream(socket.value());
  if (!is_watched(events_, socket.value())) return;
  silent_.push_back({std::move(socket), Clock::now()});
  if (silent_.size() > options_.most_silent) silent_.pop_front();
}

// Polling would tell of the same connection again, at once.
void Entrance::wait_for_descriptors() {
  if (silent_.empty()) return std::this_thread::sleep_for(kLook);
  silent_.pop_front();
}

void Entrance::send_on(int socket) {
  const auto found = std::ranges::find(silent_, socket,
                                       [](const Silent& silent) { return silent.socket.value(); });
  if (found == silent_.end()) return;
  char first = 0;
  const auto count = ::recv(socket, &first, 1, MSG_PEEK);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  ::epoll_ctl(events_.value(), EPOLL_CTL_DEL, socket, nullptr);
  Descriptor gone = std::move(found->socket);
  silent_.erase(found);
  if (count == 1 && first == options_.first_of_grpc) return ways_.to_grpc(std::move(gone));
  if (count == 1 && first == kStreamPreamble.front()) return ways_.to_streams(std::move(gone));
  if (count == 1) ways_.refused(peer_of(socket));
}

void Entrance::forget_silent() {
  const auto long_ago = Clock::now() - options_.patience;
  while (!silent_.empty() && silent_.front().since < long_ago) silent_.pop_front();
}

}  // namespace espalier
