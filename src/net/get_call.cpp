// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "messages/codec.h"
#include "messages/piece_front.h"
#include "net/bytes.h"
#include "net/calls.h"
#include "net/methods.h"

namespace espalier {
namespace {

// One piece of the object is in memory at a time.
class GetCall final : public Call {
 public:
  using Call::Call;

 private:
  void on_message(grpc::ByteBuffer message) override {
    const WantedObject wanted = decode_wanted(to_string(message));
    if (!reception().desk.may_fetch(visitor(wanted.incarnation), wanted.object))
      throw Error(ErrorCode::NotAllowed,
                  "object " + wanted.object.sha256 + " is not for this node");
    object_ = wanted.object;
    offset_ = wanted.offset;
    on_sent();
  }

  void on_sent() override {
    note_through();
    if (offset_ == object_.size) {
      leave_berth();
      return end(grpc::Status::OK);
    }
    const std::uint64_t piece = is_quick() ? kLongPieceBytes : kShortPieceBytes;
    when_berthed(piece, [this, piece] { do_later([this, piece] { send_piece(piece); }); });
  }

  void send_piece(std::uint64_t piece) {
    const std::size_t size = std::min(piece, object_.size - offset_);
    grpc::ByteBuffer message = to_buffer(piece_front(size), size, [&](ScatteredRoom room) {
      if (reception().desk.objects().read(object_, offset_, room) != size)
        throw Error(ErrorCode::RunFailed, "object " + object_.sha256 + " became shorter");
    });
    offset_ += size;
    send(std::move(message));
  }

  ObjectRef object_;
  std::uint64_t offset_ = 0;
};

}  // namespace

std::shared_ptr<Call> make_get_call(const std::shared_ptr<Reception>& reception,
                                    const Caller& caller) {
  return std::make_shared<GetCall>(reception, caller);
}

}  // namespace espalier
