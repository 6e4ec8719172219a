// SPDX-License-Identifier: Apache-2.0
#include "objects/arrival.h"

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::size_t kReadAgainAtOnce = 1 << 18;
constexpr std::uint64_t kFlushAtOnce = 8 << 20;

}  // namespace

Arrival::Arrival(const Folder& folder, ArrivalNames names, ObjectRef expected)
    : folder_(folder),
      names_(std::move(names)),
      expected_(std::move(expected)),
      file_(folder.open_or_create(names_.part)) {
  take_up();
}

void Arrival::take_up() {
  const std::uint64_t there = file_.size();
  if (there > expected_.size) {
    file_.truncate(0);
    return;
  }
  while (received_ < there) {
    const std::string bytes = file_.read(received_, kReadAgainAtOnce);
    if (bytes.empty()) break;
    digest_.add(bytes);
    received_ += bytes.size();
  }
}

void Arrival::append(std::string_view bytes) {
  if (bytes.size() > missing())
    throw Error(ErrorCode::NotAllowed, "object " + expected_.sha256 + ": more bytes than the " +
                                           std::to_string(expected_.size) + " that were announced");
  file_.write(received_, bytes);
  digest_.add(bytes);
  received_ += bytes.size();
  if (received_ - on_its_way_ < kFlushAtOnce) return;
  file_.begin_flush(on_its_way_, received_ - on_its_way_);
  on_its_way_ = received_;
}

void Arrival::commit() {
  ESPALIER_CHECK(is_complete());
  if (digest_.finish() != expected_.sha256) {
    folder_.remove(names_.part);
    throw Error(ErrorCode::NotAllowed,
                "object " + expected_.sha256 + ": the digest of what came is another one",
                "it is damaged; send it again from the beginning");
  }
  file_.flush();
  folder_.rename(names_.part, names_.whole);
}

}  // namespace espalier
