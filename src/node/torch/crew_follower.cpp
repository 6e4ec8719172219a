// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file_error.h"
#include "io/model_file.h"
#include "node/crew_energy.h"
#include "node/crew_order.h"
#include "node/own_data.h"
#include "node/torch/crew.h"
#include "node/torch/crew_texts.h"
#include "node/torch/meeting_place.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

int number_in(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Owned by one thread.
class Follower {
 public:
  Follower(const CrewAddress& address, const FollowerTools& tools, const CrewOptions& options,
           std::stop_token stop)
      : address_(address),
        tools_(tools),
        options_(options),
        stop_(std::move(stop)),
        place_(address, stop_) {
    place_.put(data_key(address.rank), fingerprint_of(tools.images));
  }
  // So that nobody waits for it.
  ~Follower() {
    try {
      place_.put(left_key(address_.rank), "gone");
    } catch (const std::exception&) {
      return;  // so is the leader
    }
  }
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  void follow() {
    for (;;) {
      const auto bytes = place_.wait_for(order_key(next_), std::chrono::seconds(1),
                                         [&] { return is_of_no_use(); });
      if (stop_.stop_requested())
        return options_.say(fmt::format("rank {} leaves: it was asked to stop", address_.rank));
      if (!bytes) {
        catch_up();
        continue;
      }
      if (const auto order = order_in(*bytes)) {
        const bool is_heard = tell(answer_key(next_, address_.rank), "here");
        if (order->is_end) return;
        measure(order->task);
        if (is_heard) take_part(*order);
      } else {
        options_.say("what rank 0 asks for makes no sense: is it another version?");
      }
      ++next_;
    }
  }

 private:
  int latest() { return number_in(place_.look(kLatestKey).value_or("")); }
  // Frozen for a while, it may be at something that the others have long given up.
  bool is_left_behind() { return latest() > next_; }
  bool has_anyone_left(const std::vector<int>& crew) {
    return std::ranges::any_of(crew,
                               [&](int rank) { return place_.look(left_key(rank)).has_value(); });
  }
  bool is_of_no_use() { return stop_.stop_requested() || is_left_behind(); }
  void catch_up() { next_ = std::max(next_, latest()); }

  // Whether it could. A full disk may have room the next time.
  bool tell(const std::string& key, const std::string& text) {
    try {
      place_.put(key, text);
      return true;
    } catch (const FileError& error) {
      options_.say(error.what());
      return false;
    }
  }

  void measure(int task) {
    if (meter_ && task == task_) return;
    task_ = task;
    meter_.emplace(tools_.meters, tools_.clock);
  }

  void tell_energy() {
    const EnergyUse use = meter_->elapsed();
    tell(energy_key(next_, address_.rank),
         text_of({this_machine(), {use.energy, use.provenance, use.source}}));
  }

  void take_part(const CrewOrder& order) {
    const auto words =
        place_.wait_for(crew_key(next_), options_.step_patience, [&] { return is_of_no_use(); });
    if (!words) return;
    const std::vector<int> crew = ranks_in(*words);
    if (std::ranges::find(crew, address_.rank) == crew.end()) return;
    try {
      // Also when it is asked to stop: that, the others hear at the first step.
      GlooGroup group = place_.form(group_key(next_), crew, options_.step_patience,
                                    [&] { return is_left_behind() || has_anyone_left(crew); });
      std::string bytes(order.network_bytes, '\0');
      group.hand_out(bytes);
      torch_learner_in(group, model_from_bytes(bytes, "rank 0"), espalier::options_of(order))
          ->train(spread_over(tools_.images, order.samples), {order.epoch, stop_});
    } catch (const std::exception& error) {
      options_.say(error.what());
    }
    tell_energy();
  }

  const CrewAddress address_;
  const FollowerTools tools_;
  const CrewOptions& options_;
  const std::stop_token stop_;
  MeetingPlace place_;
  int next_ = 1;
  int task_ = 0;
  std::optional<TaskMeter> meter_;  // of that task
};

}  // namespace

void follow(const CrewAddress& address, const FollowerTools& tools, const CrewOptions& options,
            const std::stop_token& stop) {
  try {
    Follower(address, tools, options, stop).follow();
  } catch (const Error&) {
    // Then it is no matter whether anybody was there.
    if (!stop.stop_requested()) throw;
  }
}

}  // namespace espalier
