// SPDX-License-Identifier: Apache-2.0
#include "node/torch/crew.h"

#include <cstring>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

#include "core/error.h"
#include "io/model_file.h"
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

std::string bytes_of_order(const CrewOrder& order) {
  std::string bytes(sizeof order, '\0');
  std::memcpy(bytes.data(), &order, sizeof order);
  return bytes;
}

CrewOrder order_from(const std::string& bytes) {
  CrewOrder order;
  if (bytes.size() != sizeof order)
    throw Error(ErrorCode::RunFailed, "rank 0 of the group is another version of this program");
  std::memcpy(&order, bytes.data(), sizeof order);
  return order;
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

std::string order_key(int number) { return fmt::format("order/{}", number); }
std::string crew_key(int number) { return fmt::format("crew/{}", number); }
std::string group_key(int number) { return fmt::format("group/{}", number); }
std::string answer_key(int number, int rank) { return fmt::format("here/{}/{}", number, rank); }
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

  EpochOutcome train(std::unique_ptr<Learner>& learner, const LearnerOptions& options,
                     const Samples& samples, const Epoch& epoch) {
    const Network network = learner->network();
    std::string bytes = model_bytes(network);
    CrewOrder order = order_of(options);
    order.epoch = epoch.number;
    order.samples = samples.size();
    order.network_bytes = bytes.size();
    GlooGroup group = gather(order);
    group.hand_out(bytes);
    const auto shared = torch_learner_in(group, network, options);
    const EpochOutcome outcome = shared->train(samples, epoch);
    learner = torch_learner(shared->network(), options);
    return outcome;
  }

  void send_home() {
    CrewOrder order;
    order.is_end = true;
    announce(order);
    for (const int rank : expected_) {
      if (rank != 0) place_.wait_for(answer_key(number_, rank), options_.answer_patience);
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
    place_.put(order_key(number_), bytes_of_order(order));
    place_.put("latest", std::to_string(number_));
  }

  void forget(int number) {
    if (number == 0) return;
    place_.clear(order_key(number));
    place_.clear(crew_key(number));
    for (int rank = 1; rank < address_.size; ++rank) place_.clear(answer_key(number, rank));
  }

  GlooGroup gather(const CrewOrder& order) {
    announce(order);
    const auto end = std::chrono::steady_clock::now() + options_.answer_patience;
    for (const int rank : expected_) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      if (rank != 0) place_.wait_for(answer_key(number_, rank), left);
    }
    std::vector<int> here{0};
    for (int rank = 1; rank < address_.size; ++rank) {
      if (place_.look(answer_key(number_, rank))) here.push_back(rank);
    }
    if (here != expected_)
      options_.say(fmt::format("the group is now {} of {} processes", here.size(), address_.size));
    expected_ = here;
    place_.put(crew_key(number_), words_of(here));
    return place_.form(group_key(number_), here, options_.step_patience);
  }

  const CrewAddress address_;
  const CrewOptions options_;
  MeetingPlace place_;
  std::vector<int> expected_;  // who answered last time
  int number_ = 0;             // of the last order
};

// Owned by one thread.
class CrewLearner final : public Learner {
 public:
  CrewLearner(CrewLeader::Store& store, const Network& network, const LearnerOptions& options)
      : store_(store), options_(options), own_(torch_learner(network, options)) {}

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
  Follower(const CrewAddress& address, const Images& images, const CrewOptions& options)
      : address_(address), images_(images), options_(options), place_(address) {
    place_.put(data_key(address.rank), fingerprint_of(images));
  }

  void follow(const std::stop_token& stop) {
    for (;;) {
      const auto bytes = place_.wait_for(order_key(next_), std::chrono::seconds(1), stop);
      if (stop.stop_requested()) return;
      if (!bytes) {
        catch_up();
        continue;
      }
      place_.put(answer_key(next_, address_.rank), "here");
      const CrewOrder order = order_from(*bytes);
      if (order.is_end) return;
      take_part(order, stop);
      ++next_;
    }
  }

 private:
  // After it was left out for a while.
  void catch_up() {
    if (const auto latest = place_.look("latest")) next_ = std::max(next_, std::stoi(*latest));
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
          ->train(spread_over(images_, order.samples), {order.epoch, stop});
    } catch (const Error& error) {
      options_.say(error.what());
    }
  }

  const CrewAddress address_;
  const Images& images_;
  const CrewOptions& options_;
  MeetingPlace place_;
  int next_ = 1;
};

}  // namespace

void follow(const CrewAddress& address, const Images& images, const CrewOptions& options,
            std::stop_token stop) {
  Follower(address, images, options).follow(stop);
}

}  // namespace espalier
