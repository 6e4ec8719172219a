// SPDX-License-Identifier: Apache-2.0
#include "net/server.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <malloc.h>
#include <mutex>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "certificates/certificate_folder.h"
#include "certificates/credentials.h"
#include "core/error.h"
#include "messages/codec.h"
#include "net/grpc_log.h"
#include "net/library_settings.h"
#include "net/methods.h"
#include "net/service.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookAtLists{100};
constexpr unsigned kLooksPerTrim = 2;
constexpr int kMostStreams = 32;            // of one connection
constexpr int kShortestPingInterval = 500;  // ms
constexpr int kLongestHeader = 8192;
constexpr int kHeaps = 1;
// Longer allocations are given back to the system when they are freed; pieces are shorter.
constexpr int kOwnMapping = 1 << 20U;
constexpr int kIdleHeap = 4 << 20U;
// More than a record of TLS. Each connection has a buffer of that size.
constexpr int kLongestRead = 20 * 1024;
// Bytes that nodes may send before they are asked for them.
constexpr int kUnaskedOfAll = 3 << 20U;
constexpr int kLeastUnasked = 16 * 1024;
constexpr int kMostUnasked = 1 << 20U;

bool is_loopback(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  in_addr number{};
  const bool is_number = ::inet_pton(AF_INET, host.c_str(), &number) == 1;
  return host == "localhost" || host == "[::1]" || (is_number && host.starts_with("127."));
}

std::shared_ptr<grpc::ServerCredentials> server_credentials(const ServerOptions& options) {
  if (options.security == Security::PlainTextOnLoopback) {
    if (!is_loopback(options.address))
      throw Error(ErrorCode::BadInput,
                  "'" + options.address + "' is not on this machine alone; it needs certificates",
                  "listen on 127.0.0.1, or make certificates with 'espalier cert init'");
    return grpc::InsecureServerCredentials();
  }
  const CertificateFolder folder(options.certificates);
  const Credentials own = load_credentials(folder.orchestrator_files());
  grpc::SslServerCredentialsOptions tls(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_root_certs = own.authority;
  tls.pem_key_cert_pairs.push_back({own.key, own.certificate});
  return grpc::SslServerCredentials(tls);
}

int unasked(const ServerOptions& options) {
  return std::clamp(kUnaskedOfAll / std::max(1, options.expected_nodes), kLeastUnasked,
                    kMostUnasked);
}

void set_limits(grpc::ServerBuilder& builder, const ServerOptions& options) {
  const int half = static_cast<int>(std::max<std::int64_t>(1, options.patience.count() / 2));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, half);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, half);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kShortestPingInterval);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostStreams);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kLongestHeader);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS,
                             static_cast<int>(options.patience.count()));
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // With many nodes at the same time, what each of them may have on its way decides about memory.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, unasked(options));
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kLongestFrame);
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kLongestRead);
  builder.SetMaxReceiveMessageSize(static_cast<int>(kLargestMessage));
}

std::optional<std::filesystem::path> lists_of(const ServerOptions& options) {
  if (options.security == Security::PlainTextOnLoopback) return {};
  return options.certificates;
}

std::shared_ptr<Reception> make_reception(Desk& desk, Workers& workers,
                                          const ServerOptions& options) {
  const CallLimits limits{.most_nodes = static_cast<std::size_t>(options.most_nodes)};
  return std::make_shared<Reception>(desk, workers, options.notice, lists_of(options), limits);
}

}  // namespace

class Server::Parts {
 public:
  Parts(Desk& desk, ServerOptions options)
      : options_(std::move(options)),
        workers_(options_.workers),
        reception_(make_reception(desk, workers_, options_)),
        service_(reception_),
        log_(options_.notice) {
    take_over_grpc_log();
    settle_network_libraries();
    release_idle_tls_buffers();
    grpc::ServerBuilder builder;
    builder.AddListeningPort(options_.address, server_credentials(options_), &port_);
    builder.RegisterCallbackGenericService(&service_);
    set_limits(builder, options_);
    server_ = builder.BuildAndStart();
    if (!server_ || port_ == 0)
      throw Error(ErrorCode::BadInput, "cannot listen on '" + options_.address + "'",
                  "is the port in use, and the address one of this machine?");
    watch_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
  }

  ~Parts() { stop(); }

  int port() const { return port_; }

  std::string address() const {
    return options_.address.substr(0, options_.address.rfind(':') + 1) + std::to_string(port_);
  }

  void stop() {
    const std::lock_guard lock(stopping_);
    watch_ = {};
    if (!server_) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
    reception_->berths.close();
    server_.reset();
  }

 private:
  // Those who wait for something learn here that they are no longer allowed to, and those who wait
  // for others that these are slow. Memory that is free between what is in use goes back.
  void watch(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    std::uint64_t seen = reception_->door.version();
    for (unsigned look = 1; !stop.stop_requested(); ++look) {
      never.wait_for(lock, stop, kLookAtLists, [] { return false; });
      reception_->berths.look_after_slow();
      if (look % kLooksPerTrim == 0) ::malloc_trim(0);
      const std::uint64_t version = reception_->door.version();
      if (version == seen) continue;
      seen = version;
      for (const auto& call : reception_->open.all()) call->look_again();
    }
  }

  const ServerOptions options_;
  Workers workers_;
  const std::shared_ptr<Reception> reception_;
  Service service_;
  const GrpcLogListener log_;
  int port_ = 0;
  std::mutex stopping_;
  std::unique_ptr<grpc::Server> server_;
  std::jthread watch_;
};

// By itself gRPC 1.51 has buffers for as much as a connection last sent at once, in steps of 64 KB,
// whatever it is told; without this experiment of its, which is on, no more than it is told.
void keep_memory_small() {
  ::setenv("GRPC_EXPERIMENTS", "-tcp_read_chunks", 0);
  ::mallopt(M_ARENA_MAX, kHeaps);
  ::mallopt(M_MMAP_THRESHOLD, kOwnMapping);
  ::mallopt(M_TRIM_THRESHOLD, kIdleHeap);
}

Server::Server(Desk& desk, ServerOptions options)
    : parts_(std::make_unique<Parts>(desk, std::move(options))) {}

Server::~Server() = default;

int Server::port() const { return parts_->port(); }

std::string Server::address() const { return parts_->address(); }

void Server::stop() { parts_->stop(); }

}  // namespace espalier
