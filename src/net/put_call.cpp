// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "messages/codec.h"
#include "messages/piece_front.h"
#include "net/bytes.h"
#include "net/calls.h"
#include "net/methods.h"

namespace espalier {
namespace {

constexpr std::uint64_t kToldAtOnce = 256 * 1024;

// The next piece is read when the one before is in the store. What the node is told of is the
// newest state; states that nobody could be told of in time are skipped.
class PutCall final : public Call {
 public:
  using Call::Call;

 private:
  void on_message(grpc::ByteBuffer message) override {
    do_later([this, message] { take(Message(message)); });
  }

  void take(const Message& message) {
    const auto piece = find_put_piece(message.start(kLongestPieceFront), message.size());
    if (piece) return keep(piece->offset, message.from(piece->begin));
    take(decode_put_part(message.start(message.size())));
  }

  void take(const PutPart& part) {
    if (const auto* start = std::get_if<PutBegin>(&part)) return begin(*start);
    const auto& piece = std::get<PutPiece>(part);
    const std::string_view bytes = piece.bytes;
    keep(piece.offset, {&bytes, 1});
  }

  void keep(std::uint64_t offset, Scattered bytes) {
    if (!object_) throw Error(ErrorCode::BadInput, "a piece of an object that has no name yet");
    const std::uint64_t received = reception().desk.objects().append(*object_, offset, bytes);
    note_through();
    tell(received);
  }

  void begin(const PutBegin& start) {
    if (object_) throw Error(ErrorCode::BadInput, "a second object in one call");
    if (!reception().desk.may_push(visitor(start.incarnation), start.object))
      throw Error(ErrorCode::NotAllowed,
                  "object " + start.object.sha256 + " is not expected from this node");
    object_ = start.object;
    ObjectStore& objects = reception().desk.objects();
    const bool is_empty = object_->size == 0;
    tell(is_empty ? objects.append(*object_, 0, Scattered{}) : objects.received(*object_));
  }

  void tell(std::uint64_t received) {
    const unsigned piece = is_quick() ? kLongPutBytes : kPieceBytes;
    longest_ = std::max(longest_, piece);
    const PutProgress news{received, received == object_->size, piece};
    if (is_next_to_tell(news)) send(to_buffer(encode(news)));
    if (news.is_safe) return leave_berth();
    when_berthed(longest_, [this] { read(); });
  }

  // Otherwise another message is on its way, and this is told afterwards, or it is told with the
  // next piece: a node that sends quickly may have more on its way than that.
  bool is_next_to_tell(const PutProgress& news) {
    const std::lock_guard lock(telling_);
    news_ = news;
    if (is_telling_) return false;
    const bool can_wait = is_quick() && !news.is_safe && news.piece == told_piece_;
    if (can_wait && news.received - told_ < kToldAtOnce) return false;
    told_piece_ = news.piece;
    is_telling_ = true;
    told_ = news.received;
    return true;
  }

  void on_sent() override {
    std::unique_lock lock(telling_);
    const PutProgress news = news_;
    is_telling_ = told_ != news.received;
    told_ = news.received;
    const bool has_news = is_telling_;
    lock.unlock();
    if (has_news) return send(to_buffer(encode(news)));
    if (news.is_safe) end(grpc::Status::OK);
  }

  std::optional<ObjectRef> object_;
  unsigned longest_ = 0;  // that the node was told a piece may be
  std::mutex telling_;
  // Guarded by telling_.
  PutProgress news_;
  std::uint64_t told_ = 0;
  unsigned told_piece_ = 0;
  bool is_telling_ = false;
};

}  // namespace

std::shared_ptr<Call> make_put_call(const std::shared_ptr<Reception>& reception,
                                    const Caller& caller) {
  return std::make_shared<PutCall>(reception, caller);
}

}  // namespace espalier
