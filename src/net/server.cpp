// SPDX-License-Identifier: Apache-2.0
#include "net/server.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <malloc.h>
#include <mutex>
#include <optional>
#include <sys/resource.h>
#include <thread>

#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include "certificates/certificate_folder.h"
#include "certificates/credentials.h"
#include "core/error.h"
#include "messages/codec.h"
#include "net/entrance.h"
#include "net/grpc_log.h"
#include "net/library_settings.h"
#include "net/object_server.h"
#include "net/service.h"
#include "wire/address.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

// What a connection begins with: a record of TLS, or the preface of HTTP/2.
constexpr char kFirstOfTls = 0x16;
constexpr char kFirstOfHttp = 'P';
constexpr milliseconds kLookAtLists{100};
constexpr unsigned kLooksPerTrim = 2;
constexpr int kMostStreams = 32;            // of one connection
constexpr int kShortestPingInterval = 500;  // ms
constexpr int kLongestHeader = 8192;
// Connections that nobody is known at, on each of the two ways; fewer where few files may be open.
constexpr rlim_t kMostUnknown = 1000;
constexpr rlim_t kFilesPerUnknown = 8;
constexpr int kHeaps = 1;
// Longer allocations are given back to the system when they are freed; pieces are shorter.
constexpr int kOwnMapping = 1 << 20U;
constexpr int kIdleHeap = 4 << 20U;
// More than a record of TLS. Each connection has a buffer of that size.
constexpr int kLongestRead = 20 * 1024;

std::size_t most_unknown() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  return std::min(kMostUnknown, files.rlim_cur / kFilesPerUnknown);
}

// Nothing for plain text, which must stay on this machine.
std::optional<Credentials> credentials_of(const ServerOptions& options) {
  if (options.security == Security::MutualTls)
    return load_credentials(CertificateFolder(options.certificates).orchestrator_files());
  if (!is_loopback(options.address))
    throw Error(ErrorCode::BadInput,
                "'" + options.address + "' is not on this machine alone; it needs certificates",
                "listen on 127.0.0.1, or make certificates with 'espalier cert init'");
  return {};
}

std::shared_ptr<grpc::ServerCredentials> for_grpc(const std::optional<Credentials>& own) {
  if (!own) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions tls(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_root_certs = own->authority;
  tls.pem_key_cert_pairs.push_back({own->key, own->certificate});
  return grpc::SslServerCredentials(tls);
}

std::unique_ptr<const Tls> for_streams(const std::optional<Credentials>& own) {
  return own ? std::make_unique<const Tls>(*own, TlsSide::Orchestrator) : nullptr;
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
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kLongestRead);
  builder.SetMaxReceiveMessageSize(static_cast<int>(kLargestMessage));
}

std::optional<std::filesystem::path> lists_of(const ServerOptions& options) {
  if (options.security == Security::PlainTextOnLoopback) return {};
  return options.certificates;
}

std::shared_ptr<Reception> make_reception(Desk& desk, const ServerOptions& options) {
  const PlaceLimits limits{.most_nodes = static_cast<std::size_t>(options.most_nodes)};
  return std::make_shared<Reception>(desk, options.notice, lists_of(options), limits);
}

}  // namespace

class Server::Parts {
 public:
  Parts(Desk& desk, ServerOptions options)
      : options_(std::move(options)),
        own_(credentials_of(options_)),
        reception_(make_reception(desk, options_)),
        service_(reception_),
        log_(options_.notice),
        tls_(for_streams(own_)) {
    take_over_grpc_log();
    settle_network_libraries();
    release_idle_tls_buffers();
    start_grpc();
    streams_.emplace(*reception_, tls_.get(),
                     ObjectServerOptions{options_.workers, options_.patience, most_unknown()});
    open_entrance();
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
    entrance_.reset();
    streams_.reset();
    if (!server_) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
    server_.reset();
  }

 private:
  using Acceptor = grpc::experimental::ExternalConnectionAcceptor;

  void start_grpc() {
    grpc::ServerBuilder builder;
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, for_grpc(own_));
    builder.RegisterCallbackGenericService(&service_);
    set_limits(builder, options_);
    server_ = builder.BuildAndStart();
    ESPALIER_CHECK(server_);
  }

  void open_entrance() {
    const auto to_grpc = [this](Descriptor socket) {
      Acceptor::NewConnectionParameters connection;
      connection.fd = socket.release();
      acceptor_->HandleNewConnection(&connection);
    };
    const auto to_streams = [this](Descriptor socket) { streams_->serve(std::move(socket)); };
    const auto refused = [this](const std::string& peer) {
      reception_->note_refusal(peer, "neither a call nor a stream of objects");
    };
    entrance_.emplace(EntranceOptions{options_.address, own_ ? kFirstOfTls : kFirstOfHttp,
                                      options_.patience, most_unknown()},
                      EntranceWays{to_grpc, to_streams, refused});
    port_ = entrance_->port();
  }

  // Those who wait for something learn here that they are no longer allowed to. Memory that is free
  // between what is in use goes back.
  void watch(const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never;
    std::uint64_t seen = reception_->door.version();
    for (unsigned look = 1; !stop.stop_requested(); ++look) {
      never.wait_for(lock, stop, kLookAtLists, [] { return false; });
      streams_->give_up_stuck();
      if (look % kLooksPerTrim == 0) ::malloc_trim(0);
      const std::uint64_t version = reception_->door.version();
      if (version == seen) continue;
      seen = version;
      streams_->look_again();
      for (const auto& call : reception_->open.all()) call->look_again();
    }
  }

  const ServerOptions options_;
  const std::optional<Credentials> own_;
  const std::shared_ptr<Reception> reception_;
  Service service_;
  const GrpcLogListener log_;
  const std::unique_ptr<const Tls> tls_;
  int port_ = 0;
  std::mutex stopping_;
  std::unique_ptr<Acceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<ObjectServer> streams_;
  std::optional<Entrance> entrance_;
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

void allow_many_connections() {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &files);
}

Server::Server(Desk& desk, ServerOptions options)
    : parts_(std::make_unique<Parts>(desk, std::move(options))) {}

Server::~Server() = default;

int Server::port() const { return parts_->port(); }

std::string Server::address() const { return parts_->address(); }

void Server::stop() { parts_->stop(); }

}  // namespace espalier
