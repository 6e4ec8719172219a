// SPDX-License-Identifier: Apache-2.0
// The orchestrator's end of the network: who may come in is decided here, what they get by a Desk.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "wire/link.h"

namespace espalier {

enum class Security {
  MutualTls,
  PlainTextOnLoopback,  // nodes are believed who they say they are; for tests
};

struct ServerOptions {
  // HOST:PORT. Port 0: one that is free.
  std::string address = "127.0.0.1:0";
  Security security = Security::MutualTls;
  // As CertificateFolder makes it; who may come in follows its files at once. For MutualTls.
  std::filesystem::path certificates{};
  // Without a sign of life for so long, a connection is given up. Raise it for links that are often
  // silent.
  std::chrono::milliseconds patience{20'000};
  // More nodes than that at the same time are sent away.
  int most_nodes = 1000;
  // Threads that read and write objects.
  int workers = 4;
  // Told who was refused and why: one line, from any thread.
  std::function<void(const std::string& line)> notice{};
};

// Serves from construction to destruction. The desk must outlive it. Thread-safe.
class Server {
 public:
  // Throws Error{BadInput} for an address that cannot be had, or must not without TLS, and for
  // certificates that are not sound.
  Server(Desk& desk, ServerOptions options);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  int port() const;
  // HOST:PORT, with the port that was found.
  std::string address() const;
  // Ends all calls; afterwards the desk is not asked any more. Returns when that is so.
  void stop();

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

// For a program that serves, at its beginning, before it has threads: they share their memory, so
// that what one of them has freed does not lie idle while another needs more, what is large goes
// back to the system, and connections have short buffers.
void keep_memory_small();

// The same: it may have as many connections and files open as the system lets it.
void allow_many_connections();

}  // namespace espalier
