// SPDX-License-Identifier: Apache-2.0
#include "experiments/collector.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <memory>
#include <poll.h>

#include <fmt/format.h>

#include "core/error.h"
#include "experiments/messages.h"
#include "experiments/worker_process.h"

namespace espalier {
namespace {

// How soon a request to stop is noticed.
constexpr int kPatienceMs = 100;

// A trainer, and what it is at.
struct Hand {
  Hand(const std::filesystem::path& trainer, const std::filesystem::path& folder)
      : process(trainer, folder) {}

  WorkerProcess process;
  std::optional<Segment> segment{};
  BranchRecord heard{};
};

class Collector {
 public:
  Collector(const ExperimentTree& tree, const TraceFolder& folder, Stock stock,
            const CollectorOptions& options, const OnRow& on_row)
      : tree_(tree),
        folder_(folder),
        options_(options),
        on_row_(on_row),
        stock_(std::move(stock)),
        deaths_(tree.branches.size(), 0) {}

  CollectorEnd run(const std::stop_token& stop) {
    clear_out();
    while (!stop.stop_requested()) {
      hand_out();
      if (std::none_of(hands_.begin(), hands_.end(), is_at_work)) return CollectorEnd::Finished;
      listen();
    }
    return CollectorEnd::Stopped;
  }

 private:
  using Hands = std::vector<std::unique_ptr<Hand>>;

  static bool is_at_work(const std::unique_ptr<Hand>& hand) { return hand->segment.has_value(); }

  Agenda agenda() const { return Agenda(tree_, stock_, options_.agenda); }

  bool is_busy(BranchId id) const {
    return std::any_of(hands_.begin(), hands_.end(), [&](const std::unique_ptr<Hand>& hand) {
      return hand->segment && hand->segment->branch == id;
    });
  }

  // --- giving work ---

  void hand_out() {
    const Agenda now = agenda();
    for (;;) {
      if (!has_free_hand()) return;
      const auto segment = now.next([this](BranchId id) { return is_busy(id); });
      if (!segment) return;
      give(free_hand(), *segment);
    }
  }

  bool has_free_hand() const {
    return hands_.size() < options_.workers ||
           !std::all_of(hands_.begin(), hands_.end(), is_at_work);
  }

  Hand& free_hand() {
    const auto free = std::find_if_not(hands_.begin(), hands_.end(), is_at_work);
    if (free != hands_.end()) return **free;
    hands_.push_back(std::make_unique<Hand>(options_.trainer, folder_.root()));
    return *hands_.back();
  }

  void give(Hand& hand, const Segment& segment) {
    const std::string& run = tree_.branch(segment.branch).run;
    folder_.prepare(run);
    hand.segment = segment;
    hand.heard = {};
    // If it is gone already, that is noticed when it is listened to.
    hand.process.socket().send(
        to_line(Order{run, segment.from, segment.to, segment.keeps_network}));
  }

  // --- listening ---

  void listen() {
    std::vector<pollfd> ends;
    for (const auto& hand : hands_)
      ends.push_back({hand->process.socket().descriptor(), POLLIN, 0});
    if (::poll(ends.data(), ends.size(), kPatienceMs) <= 0) return;
    for (std::size_t i = ends.size(); i-- > 0;) {
      if (ends[i].revents != 0) hear(i);
    }
  }

  void hear(std::size_t position) {
    Hand& hand = *hands_[position];
    const bool lives = hand.process.socket().receive();
    while (const auto line = hand.process.socket().next_line()) on(hand, parse_answer(*line));
    if (!lives) bury(position);
  }

  void on(Hand& hand, const Answer& answer) {
    if (const auto* row = std::get_if<TraceRow>(&answer)) return on_trace(hand, *row);
    if (const auto* source = std::get_if<EnergySource>(&answer))
      return hand.heard.add_source(*source);
    if (const auto* failed = std::get_if<Failed>(&answer))
      throw Error(failed->code, failed->message, failed->hint);
    if (const auto* ready = std::get_if<Ready>(&answer)) return check_version(*ready);
    finish(hand);
  }

  static void check_version(const Ready& ready) {
    if (ready.version == kProtocolVersion) return;
    throw Error(
        ErrorCode::RunFailed,
        fmt::format("espalier-trainer speaks version {} of the protocol, espalier version {}",
                    ready.version, kProtocolVersion),
        "install both from the same build");
  }

  void on_trace(Hand& hand, const TraceRow& row) {
    demand(hand.segment.has_value());
    hand.heard.rows.push_back(row);
    demand(fits(hand.heard.rows, tree_.branch(hand.segment->branch), hand.segment->from));
    on_row_(hand.segment->branch, row);
  }

  static void demand(bool holds) {
    if (holds) return;
    throw Error(ErrorCode::RunFailed, "espalier-trainer does not do what it was told",
                "install espalier and espalier-trainer from the same build");
  }

  // --- results ---

  void finish(Hand& hand) {
    demand(hand.segment.has_value());
    const Segment segment = *hand.segment;
    const Branch& branch = tree_.branch(segment.branch);
    const BranchRecord record = joined(folder_.record_of(branch), hand.heard, branch, segment.from);
    demand(record.steps(branch) >= segment.to);
    folder_.keep_record(branch, record);
    BranchStock& stock = stock_[segment.branch.pos()];
    stock.known = record.steps(branch);
    stock.is_enough = last_step(record, branch) <= stock.known;
    if (segment.keeps_network) stock.networks.insert(segment.to);
    deaths_[segment.branch.pos()] = 0;
    hand.segment.reset();
    clear_out_above(segment.branch);
  }

  bool is_in_hands(BranchId id, int step) const {
    return std::any_of(hands_.begin(), hands_.end(), [&](const std::unique_ptr<Hand>& hand) {
      return hand->segment && has_in_hands(tree_, *hand->segment, id, step);
    });
  }

  void drop_unneeded(BranchId id, const Agenda& now) {
    std::erase_if(stock_[id.pos()].networks, [&](int step) {
      if (now.needs_network(id, step) || is_in_hands(id, step)) return false;
      folder_.drop_network(tree_.branch(id).run, step);
      return true;
    });
  }

  void clear_out() {
    const Agenda now = agenda();
    for (std::size_t i = 0; i < stock_.size(); ++i)
      drop_unneeded({static_cast<std::int32_t>(i)}, now);
  }

  // Work done on a branch changes what is needed of it and of what it grows from, nothing else.
  void clear_out_above(BranchId id) {
    const Agenda now = agenda();
    for (std::optional<BranchId> at = id; at; at = tree_.branch(*at).parent)
      drop_unneeded(*at, now);
  }

  // --- deaths ---

  void bury(std::size_t position) {
    const std::unique_ptr<Hand> hand = std::move(hands_[position]);
    hands_.erase(hands_.begin() + static_cast<std::ptrdiff_t>(position));
    const std::string fate = hand->process.fate();
    if (!hand->segment) return;
    const BranchId id = hand->segment->branch;
    if (++deaths_[id.pos()] < options_.attempts) return;
    throw Error(ErrorCode::RunFailed,
                fmt::format("run {}: the trainer {}, and so did the {} before it at the same work",
                            tree_.branch(id).run, fate, options_.attempts - 1),
                "look for its messages above; if memory is short, use fewer --workers");
  }

  const ExperimentTree& tree_;
  const TraceFolder& folder_;
  const CollectorOptions& options_;
  const OnRow& on_row_;
  Stock stock_;
  std::vector<int> deaths_;  // by branch, since it last went on
  Hands hands_;
};

}  // namespace

CollectorEnd collect(const ExperimentTree& tree, const TraceFolder& folder, Stock stock,
                     const CollectorOptions& options, const std::stop_token& stop,
                     const OnRow& on_row) {
  return Collector(tree, folder, std::move(stock), options, on_row).run(stop);
}

}  // namespace espalier
