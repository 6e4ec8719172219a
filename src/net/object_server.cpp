// SPDX-License-Identifier: Apache-2.0
#include "net/object_server.h"

#include <algorithm>
#include <sys/epoll.h>
#include <sys/eventfd.h>

namespace espalier {
namespace {

constexpr std::size_t kServerRoom = 256 * 1024;
constexpr std::uint64_t kWake = 0;  // no stream's number

std::uint32_t events_for(StreamWait what) {
  switch (what) {
    case StreamWait::ToReceive:
      return EPOLLIN;
    case StreamWait::ToSend:
      return EPOLLOUT;
    default:
      return EPOLLIN | EPOLLOUT;  // one of them is possible at once
  }
}

}  // namespace

ObjectServer::ObjectServer(Reception& reception, const Tls* tls, ObjectServerOptions options)
    : reception_(reception),
      tls_(tls),
      options_(options),
      events_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_CLOEXEC)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWake;
  ESPALIER_CHECK(::epoll_ctl(events_.value(), EPOLL_CTL_ADD, wake_.value(), &event) == 0);
  for (int i = 0; i < std::max(options_.threads, 1); ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

ObjectServer::~ObjectServer() {
  for (std::jthread& thread : threads_) thread.request_stop();
  ::eventfd_write(wake_.value(), 1);
  threads_.clear();
}

void ObjectServer::serve(Descriptor socket) {
  const auto stream = std::make_shared<ServedStream>(std::move(socket), reception_, tls_);
  const Number number = add(stream);
  if (!wait_for(number, *stream, StreamWait::ToReceive, EPOLL_CTL_ADD)) remove(number);
}

ObjectServer::Number ObjectServer::add(const StreamPointer& stream) {
  const std::lock_guard lock(mutex_);
  make_room_for_strangers();
  streams_[++last_] = stream;
  return last_;
}

void ObjectServer::remove(Number number) {
  const std::lock_guard lock(mutex_);
  streams_.erase(number);
}

// Numbers rise: the oldest comes first.
void ObjectServer::make_room_for_strangers() {
  const auto is_stranger = [](const auto& one) { return !one.second->has_place(); };
  const auto strangers = static_cast<std::size_t>(std::ranges::count_if(streams_, is_stranger));
  if (strangers > 0 && strangers >= options_.most_strangers)
    streams_.erase(std::ranges::find_if(streams_, is_stranger));
}

// Told once: hardly ever are two threads at the same stream.
bool ObjectServer::wait_for(Number number, const ServedStream& stream, StreamWait what,
                            int how) const {
  epoll_event event{};
  event.events = events_for(what) | EPOLLONESHOT;
  event.data.u64 = number;
  return ::epoll_ctl(events_.value(), how, stream.socket(), &event) == 0;
}

ObjectServer::StreamPointer ObjectServer::find(Number number) {
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(number);
  return found == streams_.end() ? nullptr : found->second;
}

void ObjectServer::work(const std::stop_token& stop) {
  const auto room = std::make_unique<char[]>(kServerRoom);
  while (!stop.stop_requested()) {
    epoll_event event{};
    if (::epoll_wait(events_.value(), &event, 1, -1) != 1) continue;
    if (event.data.u64 == kWake) return;
    take_turn(event.data.u64, {room.get(), kServerRoom});
  }
}

void ObjectServer::take_turn(Number number, std::span<char> room) {
  const StreamPointer stream = find(number);
  if (!stream) return;
  const StreamWait next = stream->turn(room);
  if (next == StreamWait::Nothing || !wait_for(number, *stream, next, EPOLL_CTL_MOD))
    remove(number);
}

void ObjectServer::give_up_stuck() {
  const auto now = ServedStream::Clock::now();
  const std::lock_guard lock(mutex_);
  for (const auto& [unused, stream] : streams_) stream->end_if_stuck(now, options_.patience);
}

void ObjectServer::look_again() {
  const std::lock_guard lock(mutex_);
  for (const auto& [number, stream] : streams_)
    if (stream->look_again()) wait_for(number, *stream, StreamWait::ItsTurn, EPOLL_CTL_MOD);
}

}  // namespace espalier
