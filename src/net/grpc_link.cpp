// SPDX-License-Identifier: Apache-2.0
#include "net/grpc_link.h"

#include <algorithm>

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include "certificates/certificate_folder.h"
#include "core/error.h"
#include "messages/codec.h"
#include "messages/piece_front.h"
#include "net/bytes.h"
#include "net/grpc_log.h"
#include "net/library_settings.h"
#include "net/methods.h"
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
  arguments.SetInt(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kLongestFrame);
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
  const std::uint64_t pieces = 2 + object.size / kLargestPiece;
  return patience * static_cast<std::int64_t>(std::min<std::uint64_t>(pieces, 1'000'000));
}

void append(Arrival& arrival, const Message& message) {
  if (const auto piece = find_piece(message.start(kLongestPieceFront), message.size()))
    return arrival.append(message.from(piece->begin));
  const std::string bytes = decode_piece(message.start(message.size()));
  const std::string_view all = bytes;
  arrival.append({&all, 1});
}

// What had come before may be damaged: there is something to be won by trying again.
void commit(Arrival& arrival) {
  try {
    arrival.commit();
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

  std::unique_ptr<Talk> begin(const char* method, TalkTimes times, std::stop_token stop) {
    auto context = std::make_unique<grpc::ClientContext>();
    if (!plain_name_.empty()) context->AddMetadata(kPlainNameKey, plain_name_);
    return std::make_unique<Talk>(stub_, std::move(context), method, times, std::move(stop));
  }

  // One question, one answer.
  std::string ask(const char* method, std::string question, milliseconds patience,
                  std::stop_token stop) {
    const auto talk = begin(method, {patience, patience}, std::move(stop));
    talk->send(to_buffer(std::move(question)));
    talk->end_sending();
    const std::optional<grpc::ByteBuffer> answer = talk->receive();
    talk->finish();
    if (!answer) throw Error(ErrorCode::RunFailed, "the orchestrator gave no answer");
    return to_string(*answer);
  }

 private:
  const std::string plain_name_;
  grpc::GenericStub stub_;
};

GrpcLink::GrpcLink(LinkOptions options)
    : options_(std::move(options)), channel_(std::make_unique<Channel>(options_)) {
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

bool GrpcLink::heartbeat(const std::optional<TaskId>& at, std::stop_token stop) {
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
  const auto talk = channel_->begin(
      kGetObjectMethod, {transfer_time(object, options_.patience), options_.patience}, stop);
  talk->send(to_buffer(encode(WantedObject{incarnation(), object, arrival.received()})));
  talk->end_sending();
  while (const auto message = talk->receive()) {
    append(arrival, Message(*message));
    talk->note_progress();
  }
  talk->finish();
  if (!arrival.is_complete())
    throw Error(ErrorCode::RunFailed, "object " + object.sha256 + ": it came to an early end");
  commit(arrival);
}

void GrpcLink::push(const ObjectRef& object, const std::filesystem::path& from,
                    std::stop_token stop) {
  const OpenFile file = OpenFile::to_read(from);
  if (file.size() != object.size)
    throw Error(ErrorCode::RunFailed, from.string() + ": its size is not as announced");
  const auto talk = channel_->begin(
      kPutObjectMethod, {transfer_time(object, options_.patience), options_.patience}, stop);
  talk->send(to_buffer(encode(PutBegin{incarnation(), object})));
  std::uint64_t sent = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t piece = kPieceBytes;
  bool is_safe = false;
  while (const auto message = talk->receive()) {
    const PutProgress progress = decode_put_progress(to_string(*message));
    if (progress.received > acknowledged) talk->note_progress();
    acknowledged = std::max(acknowledged, progress.received);
    sent = std::max(sent, acknowledged);
    is_safe = progress.is_safe;
    piece = progress.piece > 0 ? progress.piece : kPieceBytes;
    if (is_safe) break;
    while (sent < object.size && sent - acknowledged + piece <= kLargestPiece) {
      const std::size_t size = std::min(piece, object.size - sent);
      talk->send(to_buffer(put_piece_front(sent, size), size, [&](ScatteredRoom room) {
        if (file.read(sent, room) != size)
          throw Error(ErrorCode::RunFailed, from.string() + ": it became shorter");
      }));
      sent += size;
    }
  }
  if (is_safe) talk->end_sending();
  talk->finish();
  if (!is_safe) throw Error(ErrorCode::RunFailed, "object " + object.sha256 + ": not acknowledged");
}

}  // namespace espalier
