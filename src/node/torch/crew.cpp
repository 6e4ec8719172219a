// SPDX-License-Identifier: Apache-2.0
#include "node/torch/crew.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/model_file.h"
#include "node/crew_energy.h"
#include "node/crew_order.h"
#include "node/torch/crew_texts.h"
#include "node/torch/meeting_place.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

constexpr std::chrono::seconds kTimeToGather{120};

// Time that several waits share.
class TimeLimit {
 public:
  explicit TimeLimit(std::chrono::milliseconds patience)
      : end_(std::chrono::steady_clock::now() + patience) {}
  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(end_ -
                                                                 std::chrono::steady_clock::now());
  }

 private:
  std::chrono::steady_clock::time_point end_;
};

}  // namespace

// The leader's side of the meeting place. Owned by one thread.
class CrewLeader::Store {
 public:
  Store(const CrewAddress& address, CrewOptions options)
      : address_(address), options_(std::move(options)), place_(address) {}

  // Whether all came before it was stopped.
  bool meet(const Images& images, const std::stop_token& stop) {
    const std::string own = fingerprint_of(images);
    for (int rank = 1; rank < address_.size; ++rank) {
      if (!has_come(rank, own, stop)) return false;
      expected_.push_back(rank);
    }
    options_.say(fmt::format("a group of {} processes", address_.size));
    return true;
  }

  void begin_task() {
    ++task_;
    forget_energy();
  }

  EpochOutcome train(std::unique_ptr<Learner>& learner, const LearnerOptions& options,
                     const Samples& samples, const Epoch& epoch) {
    const Network network = learner->network();
    std::string bytes = model_bytes(network);
    CrewOrder order = order_of(options);
    order.task = task_;
    order.epoch = epoch.number;
    order.samples = samples.size();
    order.network_bytes = bytes.size();
    stop_ = epoch.stop;
    std::optional<GlooGroup> group = gather(order);
    if (!group) return {EpochEnd::Stopped};
    group->hand_out(bytes);
    const auto shared = torch_learner_in(*group, network, options);
    const EpochOutcome outcome = shared->train(samples, epoch);
    account_for(outcome);
    learner = torch_learner(shared->network(), options);
    return outcome;
  }

  // Who has not told by now was in an epoch that failed: it may be at its last step.
  EnergyReading with_others(const EnergyReading& own) {
    hear_of_energy(options_.answer_patience);
    std::vector<EnergyPart> others;
    for (const auto& [rank, part] : told_) others.push_back(part);
    EnergyReading all = energy_of_all({this_machine(), own}, others, processes_);
    forget_energy();
    return all;
  }

  // Also those that were left out: they may have thawed.
  void send_home() {
    const std::vector<int> ranks = ranks_that_came();
    CrewOrder order;
    order.is_end = 1;
    announce(order);
    const TimeLimit limit(options_.answer_patience);
    for (const int rank : ranks) place_.wait_for(left_key(rank), limit.left());
  }

 private:
  bool has_come(int rank, const std::string& own, const std::stop_token& stop) {
    const auto theirs = place_.wait_for(data_key(rank), kTimeToGather,
                                        [&] { return stop.stop_requested() || has_left(rank); });
    if (stop.stop_requested()) return false;
    if (!theirs || has_left(rank))
      throw Error(ErrorCode::RunFailed, fmt::format("rank {} of the group did not come", rank));
    if (*theirs != own)
      throw Error(ErrorCode::RunFailed,
                  fmt::format("rank {} has other images: {} instead of {}", rank, *theirs, own),
                  "all processes of a group read the same --data with the same --samples");
    return true;
  }
  bool has_left(int rank) { return place_.look(left_key(rank)).has_value(); }

  std::vector<int> ranks_that_came() {
    std::vector<int> ranks;
    for (int rank = 1; rank < address_.size; ++rank)
      if (place_.look(data_key(rank)) && !has_left(rank)) ranks.push_back(rank);
    return ranks;
  }

  void announce(const CrewOrder& order) {
    forget(number_);
    ++number_;
    place_.put(order_key(number_), bytes_of(order));
    place_.put(kLatestKey, std::to_string(number_));
  }

  void forget(int number) {
    if (number == 0) return;
    place_.clear(order_key(number));
    place_.clear(crew_key(number));
    for (int rank = 1; rank < address_.size; ++rank) {
      place_.clear(answer_key(number, rank));
      place_.clear(energy_key(number, rank));
    }
  }

  // Who was left out and has answered since is waited for again.
  std::vector<int> awaited() {
    std::vector<int> ranks = expected_;
    for (int rank = 1; rank < address_.size; ++rank)
      if (!std::ranges::count(expected_, rank) && place_.look(answer_key(number_, rank)))
        ranks.push_back(rank);
    return ranks;
  }

  void wait_for_answers(const std::vector<int>& ranks) {
    const TimeLimit limit(options_.answer_patience);
    for (const int rank : ranks) {
      if (rank != 0)
        place_.wait_for(answer_key(number_, rank), limit.left(),
                        [&] { return stop_.stop_requested() || has_left(rank); });
    }
  }

  std::vector<int> ranks_here() {
    std::vector<int> here{0};
    for (int rank = 1; rank < address_.size; ++rank) {
      if (place_.look(answer_key(number_, rank)) && !has_left(rank)) here.push_back(rank);
    }
    return here;
  }

  // Nothing where it is stopped first: then nobody has to know who would have come.
  std::optional<GlooGroup> gather(const CrewOrder& order) {
    const std::vector<int> ranks = awaited();
    announce(order);
    untold_.clear();
    wait_for_answers(ranks);
    if (stop_.stop_requested()) {
      place_.put(crew_key(number_), words_of(std::vector<int>{}));
      forget_energy();
      return std::nullopt;
    }
    note_who_is_here();
    forget_what_goes_on();
    place_.put(crew_key(number_), words_of(expected_));
    return place_.form(group_key(number_), expected_, options_.step_patience, [&] {
      return stop_.stop_requested() ||
             std::ranges::any_of(untold_, [&](int rank) { return has_left(rank); });
    });
  }

  void note_who_is_here() {
    std::vector<int> here = ranks_here();
    if (here != expected_)
      options_.say(fmt::format("the group is now {} of {} processes", here.size(), address_.size));
    untold_.assign(here.begin() + 1, here.end());
    processes_ = std::max(processes_, static_cast<int>(here.size()));
    expected_ = std::move(here);
  }

  // Who has left will use no more than it told.
  void forget_what_goes_on() {
    std::erase_if(told_, [&](const auto& one) { return !has_left(one.first); });
  }

  void forget_energy() {
    told_.clear();
    untold_.clear();
    processes_ = 1;
  }

  void account_for(const EpochOutcome& outcome) {
    if (outcome.end != EpochEnd::Stopped) return hear_of_energy(options_.step_patience);
    if (!stop_.stop_requested())
      throw Error(ErrorCode::RunFailed, "a process of the group was asked to stop");
    // Of what was withdrawn nobody wants an account.
    forget_energy();
  }

  // Each tells what it used since the task began.
  void hear_of_energy(std::chrono::milliseconds patience) {
    const TimeLimit limit(patience);
    for (const int rank : std::exchange(untold_, {})) {
      const auto text = place_.wait_for(energy_key(number_, rank), limit.left(),
                                        [&] { return stop_.stop_requested() || has_left(rank); });
      if (auto part = energy_part_in(text.value_or(""))) told_[rank] = std::move(*part);
    }
  }

  const CrewAddress address_;
  const CrewOptions options_;
  MeetingPlace place_;
  std::vector<int> expected_{0};  // who answered last time
  int number_ = 0;                // of the last order
  int task_ = 0;
  std::stop_token stop_;  // of the last epoch
  int processes_ = 1;     // at most, at once, in this task
  // Of this task, by rank: from after the last order, or from before a rank left.
  std::map<int, EnergyPart> told_;
  std::vector<int> untold_;  // who took part in the last order, and was not heard of since
};

// Owned by one thread.
class CrewLearner final : public Learner {
 public:
  CrewLearner(CrewLeader::Store& store, const Network& network, const LearnerOptions& options)
      : store_(store), options_(options), own_(torch_learner(network, options)) {
    store_.begin_task();
  }

  EpochOutcome train(const Samples& samples, const Epoch& epoch) override {
    return store_.train(own_, options_, samples, epoch);
  }
  EpochOutcome distil(const Samples& samples, const Epoch& epoch,
                      const Teaching& teaching) override {
    return own_->distil(samples, epoch, teaching);
  }
  Loss step(const Samples& batch) override { return own_->step(batch); }
  Evaluation evaluate(const Samples& samples) override { return own_->evaluate(samples); }
  Tensors gradients(const Samples& samples) override { return own_->gradients(samples); }
  InputMoments input_moments(const Samples& samples) override {
    return own_->input_moments(samples);
  }
  void refresh_statistics(const Samples& samples) override { own_->refresh_statistics(samples); }
  Network network() const override { return own_->network(); }

 private:
  CrewLeader::Store& store_;
  const LearnerOptions options_;
  std::unique_ptr<Learner> own_;
};

CrewLeader::CrewLeader(std::unique_ptr<Store> store) : store_(std::move(store)) {}

std::unique_ptr<CrewLeader> CrewLeader::gather(const CrewAddress& address, const Images& images,
                                               CrewOptions options, const std::stop_token& stop) {
  auto store = std::make_unique<Store>(address, std::move(options));
  const bool is_complete = store->meet(images, stop);
  auto leader = std::unique_ptr<CrewLeader>(new CrewLeader(std::move(store)));
  if (!is_complete) leader.reset();
  return leader;
}

CrewLeader::~CrewLeader() {
  try {
    store_->send_home();
  } catch (const Error&) {
    return;
  }
}

EnergyReading CrewLeader::with_others(const EnergyReading& own) { return store_->with_others(own); }

std::function<LearnerFactory(const LearnerOptions&)> CrewLeader::learners() {
  return [this](const LearnerOptions& options) -> LearnerFactory {
    return [this, options](const Network& network) {
      return std::make_unique<CrewLearner>(*store_, network, options);
    };
  };
}

}  // namespace espalier
