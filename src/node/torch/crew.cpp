// SPDX-License-Identifier: Apache-2.0
#include "node/torch/crew.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "io/model_file.h"
#include "node/crew_energy.h"
#include "node/crew_order.h"
#include "node/own_data.h"
#include "node/torch/meeting_place.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

constexpr std::chrono::seconds kTimeToGather{120};

// The same for the same images, whoever computes it.
std::string fingerprint_of(const Images& images) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1'099'511'628'211U; };
  for (const std::uint8_t pixel : images.pixels) add(pixel);
  for (const std::uint16_t label : images.labels) add(label);
  return fmt::format("{} images, {:016x}", images.size(), hash);
}

int number_in(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string words_of(const std::vector<int>& ranks) {
  return fmt::format("{}", fmt::join(ranks, " "));
}

std::vector<int> ranks_in(const std::string& words) {
  std::istringstream stream(words);
  std::vector<int> ranks;
  for (int rank = 0; stream >> rank;) ranks.push_back(rank);
  return ranks;
}

// Containers of one machine have names of their own, and this in common.
std::string this_machine() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  if (!id.empty()) return id;
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name[0] == '\0' ? "unknown" : name.data();
}

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

std::string order_key(int number) { return fmt::format("order/{}", number); }
std::string crew_key(int number) { return fmt::format("crew/{}", number); }
std::string group_key(int number) { return fmt::format("group/{}", number); }
std::string answer_key(int number, int rank) { return fmt::format("here/{}/{}", number, rank); }
std::string energy_key(int number, int rank) { return fmt::format("energy/{}/{}", number, rank); }
std::string data_key(int rank) { return fmt::format("data/{}", rank); }

}  // namespace

// The leader's side of the meeting place. Owned by one thread.
class CrewLeader::Store {
 public:
  Store(const CrewAddress& address, const Images& images, CrewOptions options)
      : address_(address), options_(std::move(options)), place_(address), expected_(address.size) {
    std::iota(expected_.begin(), expected_.end(), 0);
    const std::string own = fingerprint_of(images);
    for (int rank = 1; rank < address.size; ++rank) require_same_images(rank, own);
    options_.say(fmt::format("a group of {} processes", address.size));
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
    GlooGroup group = gather(order, epoch.stop);
    group.hand_out(bytes);
    const auto shared = torch_learner_in(group, network, options);
    const EpochOutcome outcome = shared->train(samples, epoch);
    learner = torch_learner(shared->network(), options);
    // Of what was stopped nobody wants an account.
    if (outcome.end == EpochEnd::Stopped)
      forget_energy();
    else
      hear_of_energy(options_.step_patience, epoch.stop);
    return outcome;
  }

  // Who has not told by now broke down in the middle: nobody waits for it.
  EnergyReading with_others(const EnergyReading& own) {
    if (processes_ > 1) hear_of_energy(std::chrono::milliseconds(0), {});
    std::vector<EnergyPart> others;
    for (const auto& [rank, part] : told_) others.push_back(part);
    const EnergyReading all = energy_of_all({this_machine(), own}, others, processes_);
    forget_energy();
    return all;
  }

  void send_home() {
    CrewOrder order;
    order.is_end = 1;
    announce(order);
    const TimeLimit limit(options_.answer_patience);
    for (const int rank : expected_) {
      if (rank != 0) place_.wait_for(answer_key(number_, rank), limit.left());
    }
  }

 private:
  void require_same_images(int rank, const std::string& own) {
    const auto theirs = place_.wait_for(data_key(rank), kTimeToGather);
    if (!theirs)
      throw Error(ErrorCode::RunFailed, fmt::format("rank {} of the group did not come", rank));
    if (*theirs != own)
      throw Error(ErrorCode::RunFailed,
                  fmt::format("rank {} has other images: {} instead of {}", rank, *theirs, own),
                  "all processes of a group read the same --data with the same --samples");
  }

  void announce(const CrewOrder& order) {
    forget(number_);
    ++number_;
    place_.put(order_key(number_), bytes_of(order));
    place_.put("latest", std::to_string(number_));
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

  GlooGroup gather(const CrewOrder& order, const std::stop_token& stop) {
    const std::vector<int> ranks = awaited();
    announce(order);
    told_.clear();
    const TimeLimit limit(options_.answer_patience);
    for (const int rank : ranks) {
      if (rank != 0) place_.wait_for(answer_key(number_, rank), limit.left(), stop);
    }
    std::vector<int> here{0};
    for (int rank = 1; rank < address_.size; ++rank) {
      if (place_.look(answer_key(number_, rank))) here.push_back(rank);
    }
    if (here != expected_)
      options_.say(fmt::format("the group is now {} of {} processes", here.size(), address_.size));
    expected_ = here;
    processes_ = std::max(processes_, static_cast<int>(here.size()));
    place_.put(crew_key(number_), words_of(here));
    return place_.form(group_key(number_), here, options_.step_patience);
  }

  void forget_energy() {
    told_.clear();
    processes_ = 1;
  }

  // Each tells what it used since the task began.
  void hear_of_energy(std::chrono::milliseconds patience, const std::stop_token& stop) {
    const TimeLimit limit(patience);
    for (const int rank : expected_) {
      const auto text =
          rank == 0 ? std::nullopt : place_.wait_for(energy_key(number_, rank), limit.left(), stop);
      if (auto part = energy_part_in(text.value_or(""))) told_[rank] = std::move(*part);
    }
  }

  const CrewAddress address_;
  const CrewOptions options_;
  MeetingPlace place_;
  std::vector<int> expected_;  // who answered last time
  int number_ = 0;             // of the last order
  int task_ = 0;
  int processes_ = 1;               // at most, at once, in this task
  std::map<int, EnergyPart> told_;  // of this task after the last order, by rank
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

CrewLeader::CrewLeader(const CrewAddress& address, const Images& images, CrewOptions options)
    : store_(std::make_unique<Store>(address, images, std::move(options))) {}

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

namespace {

// Owned by one thread.
class Follower {
 public:
  Follower(const CrewAddress& address, const FollowerTools& tools, const CrewOptions& options)
      : address_(address), tools_(tools), options_(options), place_(address) {
    place_.put(data_key(address.rank), fingerprint_of(tools.images));
  }

  void follow(const std::stop_token& stop) {
    for (;;) {
      const auto bytes = place_.wait_for(order_key(next_), std::chrono::seconds(1), stop);
      if (stop.stop_requested()) return;
      if (!bytes) {
        catch_up();
        continue;
      }
      if (const auto order = order_in(*bytes)) {
        place_.put(answer_key(next_, address_.rank), "here");
        if (order->is_end) return;
        measure(order->task);
        take_part(*order, stop);
      } else {
        options_.say("what rank 0 asks for makes no sense: is it another version?");
      }
      ++next_;
    }
  }

 private:
  // After it was left out for a while.
  void catch_up() {
    if (const auto latest = place_.look("latest")) next_ = std::max(next_, number_in(*latest));
  }

  void measure(int task) {
    if (meter_ && task == task_) return;
    task_ = task;
    meter_.emplace(tools_.meters, tools_.clock);
  }

  void tell_energy() {
    const EnergyUse use = meter_->elapsed();
    place_.put(energy_key(next_, address_.rank),
               text_of({this_machine(), {use.energy, use.provenance, use.source}}));
  }

  void take_part(const CrewOrder& order, const std::stop_token& stop) {
    const auto words = place_.wait_for(crew_key(next_), options_.step_patience, stop);
    if (!words) return;
    const std::vector<int> crew = ranks_in(*words);
    if (std::ranges::find(crew, address_.rank) == crew.end()) return;
    try {
      GlooGroup group = place_.form(group_key(next_), crew, options_.step_patience);
      std::string bytes(order.network_bytes, '\0');
      group.hand_out(bytes);
      torch_learner_in(group, model_from_bytes(bytes, "rank 0"), espalier::options_of(order))
          ->train(spread_over(tools_.images, order.samples), {order.epoch, stop});
    } catch (const std::exception& error) {
      options_.say(error.what());
    }
    tell_energy();
  }

  const CrewAddress address_;
  const FollowerTools tools_;
  const CrewOptions& options_;
  MeetingPlace place_;
  int next_ = 1;
  int task_ = 0;
  std::optional<TaskMeter> meter_;  // of that task
};

}  // namespace

void follow(const CrewAddress& address, const FollowerTools& tools, const CrewOptions& options,
            std::stop_token stop) {
  Follower(address, tools, options).follow(stop);
}

}  // namespace espalier
