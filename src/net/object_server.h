// SPDX-License-Identifier: Apache-2.0
// Serves streams of objects with few threads: each goes on with whatever stream is ready, so that
// slow nodes hold nobody up, and memory does not depend on how many there are.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/served_stream.h"

namespace espalier {

struct ObjectServerOptions {
  // Threads that read and write objects, and flush them to the disk.
  int threads = 4;
  // A stream that comes no further for so long is given up.
  std::chrono::milliseconds patience{};
  // Streams of strangers and of those who were sent away; the oldest has to go where there are
  // more.
  std::size_t most_strangers = 1000;
};

// From construction to destruction. Thread-safe.
class ObjectServer {
 public:
  // The reception, and `tls` if there is one, must outlive it.
  ObjectServer(Reception& reception, const Tls* tls, ObjectServerOptions options);
  ObjectServer(const ObjectServer&) = delete;
  ObjectServer& operator=(const ObjectServer&) = delete;
  ~ObjectServer();

  void serve(Descriptor socket);
  // Ends those that are stuck. To be called every now and then.
  void give_up_stuck();
  // Ends those whose nodes may not be here any more.
  void look_again();

 private:
  using Number = std::uint64_t;
  using StreamPointer = std::shared_ptr<ServedStream>;

  void work(const std::stop_token& stop);
  void take_turn(Number number, std::span<char> room);
  // Whether that can be.
  bool wait_for(Number number, const ServedStream& stream, StreamWait what, int how) const;
  Number add(const StreamPointer& stream);
  void remove(Number number);
  void make_room_for_strangers();
  StreamPointer find(Number number);

  Reception& reception_;
  const Tls* tls_;
  const ObjectServerOptions options_;
  const Descriptor events_;
  const Descriptor wake_;
  std::mutex mutex_;
  Number last_ = 0;                          // guarded by mutex_
  std::map<Number, StreamPointer> streams_;  // guarded by mutex_
  std::vector<std::jthread> threads_;
};

}  // namespace espalier
