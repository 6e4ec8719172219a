// SPDX-License-Identifier: Apache-2.0
// A node's end of the network: calls by gRPC, objects by streams of their own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "certificates/credentials.h"
#include "wire/link.h"

namespace espalier {

class NodeStream;
class Tls;
class TransferWatch;

struct LinkOptions {
  // HOST:PORT of the orchestrator.
  std::string address;
  // None: plain text, which a server offers on loopback only.
  std::optional<Credentials> credentials{};
  // Who one is without credentials.
  std::string plain_name{};
  // The one knob of all time-outs: without any progress for so long, a call is given up. Raise it
  // for links that are often silent for longer.
  std::chrono::milliseconds patience{20'000};
};

// Connects when it is first used, and again whenever the connection is lost. Nothing hangs for
// longer than `patience` beyond what was asked for, whatever the other side does. Thread-safe.
class GrpcLink final : public Link {
 public:
  explicit GrpcLink(LinkOptions options);
  ~GrpcLink() override;

  Welcome enrol(const Hello& hello, std::stop_token stop) override;
  Pulled pull(std::chrono::milliseconds wait, std::stop_token stop) override;
  void fetch(const ObjectRef& object, const std::filesystem::path& to,
             std::stop_token stop) override;
  void push(const ObjectRef& object, const std::filesystem::path& from,
            std::stop_token stop) override;
  Receipt report(const TaskResult& result, std::stop_token stop) override;
  bool heartbeat(const std::optional<AtWork>& at, std::stop_token stop) override;

 private:
  class Channel;
  std::string incarnation() const;
  // Over the stream that was kept, or a new one.
  void transfer(const ObjectRef& object, std::stop_token stop,
                const std::function<void(NodeStream&, TransferWatch&)>& act);
  std::unique_ptr<NodeStream> kept_stream();

  const LinkOptions options_;
  const std::unique_ptr<Channel> channel_;
  std::unique_ptr<const Tls> tls_;
  mutable std::mutex mutex_;
  std::string incarnation_;             // guarded by mutex_
  std::unique_ptr<NodeStream> stream_;  // that nobody uses now; guarded by mutex_
};

}  // namespace espalier
