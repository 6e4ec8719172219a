// SPDX-License-Identifier: Apache-2.0
#include "net/node_stream.h"

#include <algorithm>
#include <poll.h>
#include <sys/eventfd.h>
#include <vector>

#include "core/file_error.h"
#include "net/addresses.h"

namespace espalier {
namespace {

constexpr std::size_t kNodeRoom = 128 * 1024;

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::RunFailed, why); }

}  // namespace

TransferWatch::TransferWatch(Times times, std::stop_token stop)
    : patience_(times.patience),
      end_(Clock::now() + times.deadline),
      wake_(::eventfd(0, EFD_CLOEXEC)),
      stop_(std::move(stop)),
      on_stop_(stop_, [this] { ::eventfd_write(wake_.value(), 1); }) {}

int TransferWatch::time_left() const {
  const auto left = std::min(end_, progress_ + patience_) - Clock::now();
  return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
}

void TransferWatch::wait(int socket, short events) {
  pollfd ready[2] = {{socket, events, 0}, {wake_.value(), POLLIN, 0}};
  const int left = time_left();
  if (left > 0 && !stop_.stop_requested()) ::poll(ready, 2, left);
  if (stop_.stop_requested()) fail("stopped while talking to the orchestrator");
  if (time_left() <= 0)
    fail("the orchestrator made no progress for " + std::to_string(patience_.count()) + " ms");
}

NodeStream::NodeStream(const std::string& peer, const Tls* tls, TransferWatch& watch)
    : line_(connect_to(peer)) {
  set_up_stream(line_.socket());
  watch.wait(line_.socket(), POLLOUT);
  send(kStreamPreamble, watch);
  if (tls == nullptr) return;
  line_.secure(*tls);
  while (!line_.shake_hands()) wait(watch);
  watch.note_progress();
}

void NodeStream::require_open() const {
  if (!line_.failure()) return;
  const Error& failure = *line_.failure();
  if (failure.code() == ErrorCode::NotAllowed)
    throw Error(ErrorCode::NotAllowed,
                std::string("no secure connection to the orchestrator: ") + failure.what(),
                "are the certificates of both sides from the same authority?");
  fail(std::string("no connection to the orchestrator: ") + failure.what());
}

void NodeStream::wait(TransferWatch& watch) {
  require_open();
  watch.wait(line_.socket(), line_.waits_for());
}

void NodeStream::send(std::string_view bytes, TransferWatch& watch) {
  while (!bytes.empty()) {
    const std::size_t sent = line_.send(bytes);
    bytes.remove_prefix(sent);
    if (sent == 0) wait(watch);
  }
}

std::optional<StreamAnswer> NodeStream::next_answer() {
  const auto message = inbox_.message(line_);
  if (!message) return {};
  StreamAnswer answer = decode_answer(*message);
  const auto* refusal = std::get_if<Refusal>(&answer);
  if (refusal == nullptr) return answer;
  if (refusal->is_temporary) fail("the orchestrator is not ready: " + refusal->reason);
  throw Error(ErrorCode::NotAllowed, "the orchestrator refuses: " + refusal->reason);
}

StreamAnswer NodeStream::answer(TransferWatch& watch) {
  for (;;) {
    if (const auto answer = next_answer()) {
      watch.note_progress();
      return *answer;
    }
    wait(watch);
  }
}

void NodeStream::fetch(const StreamRequest& request, Arrival& arrival, TransferWatch& watch) {
  is_idle_ = false;
  send(framed(encode(request)), watch);
  if (!std::holds_alternative<Granted>(answer(watch))) fail("the orchestrator gave no answer");
  std::vector<char> room(kNodeRoom);
  std::size_t there = 0;
  while (!arrival.is_complete()) {
    const std::size_t wanted = std::min<std::uint64_t>(kNodeRoom, arrival.missing());
    const std::size_t now = line_.receive(std::span(room).subspan(there, wanted - there));
    there += now;
    if (there == wanted || (now == 0 && there > 0)) {
      arrival.append({room.data(), there});
      there = 0;
      watch.note_progress();
    } else if (now == 0) {
      wait(watch);
    }
  }
  is_idle_ = true;
}

// What of an object is on its way.
class NodeStream::Upload {
 public:
  Upload(const OpenFile& file, std::uint64_t from)
      : file_(file), size_(file.size()), sent_(from), read_(from), acknowledged_(from) {
    if (from > size_) fail("the orchestrator has more of the object than there is");
  }

  bool is_sent() const { return sent_ == size_; }

  void acknowledge(std::uint64_t received) { acknowledged_ = std::max(acknowledged_, received); }
  // What can be sent now, if anything: the same as before until it was sent.
  std::string_view next() {
    if (sent_ == read_) read();
    const std::uint64_t kept_from = read_ - length_;
    return std::string_view(room_.data(), length_).substr(sent_ - kept_from);
  }
  void note_sent(std::size_t bytes) { sent_ += bytes; }

 private:
  void read() {
    length_ = 0;
    const std::uint64_t allowed = acknowledged_ + kMostUnacknowledged;
    if (sent_ >= allowed) return;
    const std::size_t wanted = std::min({std::uint64_t{kNodeRoom}, size_ - sent_, allowed - sent_});
    length_ = file_.read(sent_, std::span(room_).first(wanted));
    if (length_ != wanted) throw FileError("the file became shorter while it was sent");
    read_ += length_;
  }

  const OpenFile& file_;
  const std::uint64_t size_;
  std::uint64_t sent_;
  std::uint64_t read_;
  std::uint64_t acknowledged_;
  std::size_t length_ = 0;
  std::vector<char> room_ = std::vector<char>(kNodeRoom);
};

void NodeStream::push(const StreamRequest& request, const OpenFile& file, TransferWatch& watch) {
  is_idle_ = false;
  send(framed(encode(request)), watch);
  std::optional<StreamAnswer> news = answer(watch);
  std::optional<Upload> upload;
  for (;;) {
    if (news) {
      const auto* progress = std::get_if<Progress>(&*news);
      if (progress == nullptr) fail("the orchestrator gave no answer");
      if (progress->is_safe) break;
      if (!upload) upload.emplace(file, progress->received);
      upload->acknowledge(progress->received);
      watch.note_progress();
    }
    const std::string_view next = upload->next();
    const std::size_t sent = next.empty() ? 0 : line_.send(next);
    upload->note_sent(sent);
    news = next_answer();
    require_open();
    const short sending = next.empty() ? 0 : POLLOUT;
    if (sent == 0 && !news) watch.wait(line_.socket(), static_cast<short>(POLLIN | sending));
  }
  // Others may have brought it, while bytes are still on their way here.
  is_idle_ = !upload || upload->is_sent();
}

}  // namespace espalier
