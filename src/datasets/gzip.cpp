// SPDX-License-Identifier: Apache-2.0
#include "datasets/gzip.h"

#include <algorithm>
#include <zlib.h>

#include "core/error.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kFirstRoom = 1U << 16U;
constexpr int kGzipOnly = 16 + MAX_WBITS;

// Owns the state of zlib.
class Inflater {
 public:
  explicit Inflater(ByteView input) {
    ESPALIER_CHECK(input.size() <= kLargestInput);
    stream_.next_in = const_cast<Bytef*>(input.data());  // zlib only reads it
    stream_.avail_in = static_cast<uInt>(input.size());
    ESPALIER_CHECK(inflateInit2(&stream_, kGzipOnly) == Z_OK);
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Fills `room` as far as the input allows; the code is zlib's.
  int fill(std::span<std::uint8_t> room) {
    stream_.next_out = room.data();
    stream_.avail_out = static_cast<uInt>(room.size());
    return inflate(&stream_, Z_NO_FLUSH);
  }
  std::size_t unfilled() const { return stream_.avail_out; }
  ByteView rest() const { return {stream_.next_in, stream_.avail_in}; }
  void next_member() { ESPALIER_CHECK(inflateReset(&stream_) == Z_OK); }

 private:
  static constexpr std::size_t kLargestInput = std::size_t{1} << 31U;
  z_stream stream_{};
};

constexpr const char* kObtainAgain = "obtain the file again";

// True if another member follows.
bool at_end_of_member(Inflater& inflater, std::string_view file) {
  if (inflater.rest().empty()) return false;
  if (!is_gzip(inflater.rest())) {
    refuse(file, counted(inflater.rest().size(), "byte", "bytes") + " after the compressed data",
           kObtainAgain);
  }
  inflater.next_member();
  return true;
}

void refuse_damage(int code, const Inflater& inflater, std::string_view file) {
  if (code == Z_OK && inflater.unfilled() == 0) return;  // it only needs more room
  if (code == Z_OK || code == Z_BUF_ERROR)
    refuse(file, "the compressed data is cut off", kObtainAgain);
  refuse(file, "the compressed data is damaged", kObtainAgain);
}

}  // namespace

bool is_gzip(ByteView bytes) { return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b; }

Bytes gunzip(ByteView bytes, std::size_t most, std::string_view file) {
  Inflater inflater(bytes);
  Bytes output;
  std::size_t done = 0;
  for (bool more = true; more;) {
    // One byte beyond the limit, to see that it is exceeded.
    if (done == output.size()) output.resize(std::min(std::max(kFirstRoom, 2 * done), most + 1));
    const std::span<std::uint8_t> room = std::span(output).subspan(done);
    const int code = inflater.fill(room);
    done += room.size() - inflater.unfilled();
    if (done > most)
      refuse(file, "decompresses to more than " + counted(most) + " bytes", kObtainAgain);
    if (code == Z_STREAM_END) {
      more = at_end_of_member(inflater, file);
    } else {
      refuse_damage(code, inflater, file);
    }
  }
  output.resize(done);
  return output;
}

}  // namespace espalier
