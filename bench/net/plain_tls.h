// SPDX-License-Identifier: Apache-2.0
// What a network can do: files over mutual TLS with blocking sockets, one thread per connection and
// nothing else. No digests, no resuming, no time-outs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "certificates/credentials.h"
#include "net/moment.h"

namespace espalier::bench {

struct CopyWork {
  int connections = 0;
  int rounds = 1;
  std::filesystem::path model;   // sent to each client in each round
  std::filesystem::path folder;  // where files that come are written
  std::uint64_t bytes = 0;       // of a file, in either direction
};

// Serves one set of clients. In each round each of them gets the model, sends its update, and is
// told when that is flushed to the disk, as the model is at the client. The updates of a round are
// there together, as they must be for whoever needs them all, and are removed when it is over.
class PlainServer {
 public:
  PlainServer(const Credentials& own, CopyWork work);
  ~PlainServer();
  PlainServer(const PlainServer&) = delete;
  PlainServer& operator=(const PlainServer&) = delete;

  int port() const { return port_; }
  // Until all clients, which are threads of the process `others`, are done. Returns what it took
  // from when all were connected. Throws Error where one was not served.
  Moment serve(pid_t others);

 private:
  const Credentials own_;
  const CopyWork work_;
  int listener_ = -1;
  int port_ = 0;
};

// One client. `update_of`: the file that it sends in a round.
void copy_as_client(const Credentials& own, int port, const CopyWork& work,
                    const std::function<std::filesystem::path(int round)>& update_of);

}  // namespace espalier::bench
