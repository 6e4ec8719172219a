// SPDX-License-Identifier: Apache-2.0
// The one port: whoever connects is sent on by the first byte that comes.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "files/descriptor.h"

namespace espalier {

struct EntranceOptions {
  // HOST:PORT. Port 0: one that is free.
  std::string address;
  // What a connection of gRPC begins with. Streams of objects begin with the first byte of
  // kStreamPreamble; others are closed.
  char first_of_grpc = 0;
  // Whoever says nothing for so long is sent away.
  std::chrono::milliseconds patience{};
  // The oldest has to go where more say nothing: nobody keeps others out like that.
  std::size_t most_silent = 1000;
};

// What becomes of those who come: called by its thread, with the first byte still to be read.
struct EntranceWays {
  std::function<void(Descriptor socket)> to_grpc;
  std::function<void(Descriptor socket)> to_streams;
  std::function<void(const std::string& peer)> refused;
};

// Nobody who is silent holds anybody up. From construction to destruction, with a thread of its
// own.
class Entrance {
 public:
  // Throws Error{BadInput} for an address that cannot be had.
  Entrance(EntranceOptions options, EntranceWays ways);
  Entrance(const Entrance&) = delete;
  Entrance& operator=(const Entrance&) = delete;
  ~Entrance();

  int port() const { return port_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Silent {
    Descriptor socket;
    Clock::time_point since;
  };

  void serve(const std::stop_token& stop);
  void accept_some(const Descriptor& listener);
  void accept(Descriptor socket);
  void wait_for_descriptors();
  void send_on(int socket);
  void forget_silent();

  const EntranceOptions options_;
  const EntranceWays ways_;
  const std::vector<Descriptor> listeners_;
  const int port_;
  const Descriptor events_;
  const Descriptor wake_;
  std::list<Silent> silent_;  // of its thread; the oldest first
  std::jthread thread_;
};

}  // namespace espalier
