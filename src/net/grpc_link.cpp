// SPDX-License-Identifier: Apache-2.0
#include "net/grpc_link.h"

#include <algorithm>

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "certificates/certificate_folder.h"
#include "core/file_error.h"
#include "messages/codec.h"
#include "net/bytes.h"
#include "net/grpc_log.h"
#include "net/library_settings.h"
#include "net/methods.h"
#include "net/node_stream.h"
#include "net/talk.h"
#include "objects/arrival.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

constexpr int kFirstReconnectMs = 100;
constexpr int kLastReconnectMs = 2000;

grpc::ChannelArguments channel_arguments(const LinkOptions& options) {
  const int half = static_cast<int>(std::max<std::int64_t>(1, options.patience.count() / 2));
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, half);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, half);
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstReconnectMs);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS,
                   static_cast<int>(options.patience.count()));  // of one attempt
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLastReconnectMs);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  if (options.credentials) arguments.SetSslTargetNameOverride(kOrchestratorName);
  return arguments;
}

std::shared_ptr<grpc::ChannelCredentials> channel_credentials(const LinkOptions& options) {
  if (!options.credentials) return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({.pem_root_certs = options.credentials->authority,
                               .pem_private_key = options.credentials->key,
                               .pem_cert_chain = options.credentials->certificate});
}

// Patience for every megabyte.
milliseconds transfer_time(const ObjectRef& object, milliseconds patience) {
  const std::uint64_t pieces = 2 + object.size / kMostUnacknowledged;
  return patience * static_cast<std::int64_t>(std::min<std::uint64_t>(pieces, 1'000'000));
}

// What had come before may be damaged: there is something to be won by trying again.
void commit(Arrival& arrival) {
  try {
    arrival.commit();
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    throw Error(ErrorCode::RunFailed, error.what(), error.hint());
  }
}

}  // namespace

class GrpcLink::Channel {
 public:
  explicit Channel(const LinkOptions& options)
      : plain_name_(options.credentials ? "" : options.plain_name),
        stub_(grpc::CreateCustomChannel(options.address, channel_credentials(options),
                                        channel_arguments(options))) {}

  // One question, one answer.
  std::string ask(const char* method, std::string question, milliseconds patience,
                  std::stop_token stop) {
    const auto talk = begin(method, {patience, patience}, std::move(stop));
    talk->send(to_buffer(std::move(question)));
    talk->end_sending();
    const std::optional<grpc::ByteBuffer> answer = talk->receive();
    talk->finish();
    note_peer(talk->peer());
    if (!answer) throw Error(ErrorCode::RunFailed, "the orchestrator gave no answer");
    return to_string(*answer);
  }

  // Who answered last: where streams go, without asking for its name once more.
  std::string peer() const {
    const std::lock_guard lock(mutex_);
    return peer_;
  }

 private:
  std::unique_ptr<Talk> begin(const char* method, TalkTimes times, std::stop_token stop) {
    auto context = std::make_unique<grpc::ClientContext>();
    if (!plain_name_.empty()) context->AddMetadata(kPlainNameKey, plain_name_);
    return std::make_unique<Talk>(stub_, std::move(context), method, times, std::move(stop));
  }

  void note_peer(const std::string& peer) {
    const std::lock_guard lock(mutex_);
    peer_ = peer;
  }

  const std::string plain_name_;
  grpc::GenericStub stub_;
  mutable std::mutex mutex_;
  std::string peer_;  // guarded by mutex_
};

GrpcLink::GrpcLink(LinkOptions options)
    : options_(std::move(options)), channel_(std::make_unique<Channel>(options_)) {
  if (options_.credentials) tls_ = std::make_unique<Tls>(*options_.credentials, TlsSide::Node);
  take_over_grpc_log();
  settle_network_libraries();
}

GrpcLink::~GrpcLink() = default;

std::string GrpcLink::incarnation() const {
  const std::lock_guard lock(mutex_);
  return incarnation_;
}

Welcome GrpcLink::enrol(const Hello& hello, std::stop_token stop) {
  {
    const std::lock_guard lock(mutex_);
    incarnation_ = hello.incarnation;
  }
  return decode_welcome(
      channel_->ask(kEnrolMethod, encode(hello), options_.patience, std::move(stop)));
}

Pulled GrpcLink::pull(milliseconds wait, std::stop_token stop) {
  const milliseconds asked = std::clamp(wait, milliseconds(0), kLongestPull);
  return decode_pulled(channel_->ask(kPullMethod, encode(PullRequest{incarnation(), asked}),
                                     asked + options_.patience, std::move(stop)));
}

Receipt GrpcLink::report(const TaskResult& result, std::stop_token stop) {
  return decode_receipt(channel_->ask(kReportMethod, encode(ResultMessage{incarnation(), result}),
                                      options_.patience, std::move(stop)));
}

bool GrpcLink::heartbeat(const std::optional<AtWork>& at, std::stop_token stop) {
  return decode_nod(channel_->ask(kHeartbeatMethod, encode(Pulse{incarnation(), at}),
                                  options_.patience, std::move(stop)))
      .is_wanted;
}

void GrpcLink::fetch(const ObjectRef& object, const std::filesystem::path& to,
                     std::stop_token stop) {
  const Folder folder(to.parent_path());
  const std::string name = to.filename().string();
  if (folder.size_of(name) == object.size && object_in(to) == object) return;
  Arrival arrival(folder, {name + ".part", name}, object);
  const StreamRequest request{WantedObject{incarnation(), object, arrival.received()},
                              options_.plain_name};
  transfer(object, std::move(stop), [&](NodeStream& stream, TransferWatch& watch) {
    stream.fetch(request, arrival, watch);
  });
  commit(arrival);
}

void GrpcLink::push(const ObjectRef& object, const std::filesystem::path& from,
                    std::stop_token stop) {
  const OpenFile file = OpenFile::to_read(from);
  if (file.size() != object.size) throw FileError(from.string() + ": its size is not as announced");
  const StreamRequest request{OfferedObject{incarnation(), object}, options_.plain_name};
  transfer(object, std::move(stop),
           [&](NodeStream& stream, TransferWatch& watch) { stream.push(request, file, watch); });
}

void GrpcLink::transfer(const ObjectRef& object, std::stop_token stop,
                        const std::function<void(NodeStream&, TransferWatch&)>& act) {
  TransferWatch watch({transfer_time(object, options_.patience), options_.patience},
                      std::move(stop));
  std::unique_ptr<NodeStream> stream = kept_stream();
  if (!stream || !stream->is_idle())
    stream = std::make_unique<NodeStream>(channel_->peer(), tls_.get(), watch);
  act(*stream, watch);
  const std::lock_guard lock(mutex_);
  stream_ = std::move(stream);
}

std::unique_ptr<NodeStream> GrpcLink::kept_stream() {
  const std::lock_guard lock(mutex_);
  return std::move(stream_);
}

}  // namespace espalier
