// SPDX-License-Identifier: Apache-2.0
#include "node/torch/meeting_place.h"

#include <algorithm>
#include <thread>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::chrono::seconds kTimeToMeet{60};
constexpr std::chrono::milliseconds kBetweenGlances{10};

template <class Work>
auto at_store(const CrewAddress& address, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    throw Error(ErrorCode::RunFailed,
                "rank 0 of the group cannot be reached at " + address.host + ":" +
                    std::to_string(address.port) + ": " + error.what(),
                "--group HOST:PORT names another place");
  }
}

}  // namespace

CrewOrder order_of(const LearnerOptions& options) {
  CrewOrder order;
  order.batch = options.batch;
  order.learning_rate = options.learning_rate;
  order.momentum = options.momentum;
  order.weight_decay = options.weight_decay;
  order.schedule = options.schedule;
  order.jitter = options.jitter;
  order.seed = options.seed;
  order.threads = options.threads;
  return order;
}

LearnerOptions options_of(const CrewOrder& order) {
  LearnerOptions options;
  options.batch = order.batch;
  options.learning_rate = order.learning_rate;
  options.momentum = order.momentum;
  options.weight_decay = order.weight_decay;
  options.schedule = order.schedule;
  options.jitter = order.jitter;
  options.seed = order.seed;
  options.threads = order.threads;
  return options;
}

MeetingPlace::MeetingPlace(const CrewAddress& address) : address_(address) {
  c10d::TCPStoreOptions options;
  options.port = address.port;
  options.isServer = address.rank == 0;
  options.waitWorkers = false;
  options.timeout = kTimeToMeet;
  store_ =
      at_store(address, [&] { return c10::make_intrusive<c10d::TCPStore>(address.host, options); });
}

void MeetingPlace::put(const std::string& key, const std::string& value) {
  at_store(address_, [&] { store_->set(key, {value.begin(), value.end()}); });
}

std::optional<std::string> MeetingPlace::look(const std::string& key) {
  return at_store(address_, [&]() -> std::optional<std::string> {
    if (!store_->check({key})) return std::nullopt;
    const std::vector<std::uint8_t> value = store_->get(key);
    return std::string(value.begin(), value.end());
  });
}

void MeetingPlace::clear(const std::string& key) {
  at_store(address_, [&] { store_->deleteKey(key); });
}

// The store's own waiting leaves the connection unusable when its time is over.
std::optional<std::string> MeetingPlace::wait_for(const std::string& key,
                                                  std::chrono::milliseconds patience,
                                                  std::stop_token stop) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!stop.stop_requested()) {
    if (auto value = look(key)) return value;
    if (std::chrono::steady_clock::now() >= end) break;
    std::this_thread::sleep_for(kBetweenGlances);
  }
  return std::nullopt;
}

GlooGroup MeetingPlace::form(const std::string& name, const std::vector<int>& ranks,
                             std::chrono::milliseconds patience) {
  const auto own = std::ranges::find(ranks, address_.rank);
  ESPALIER_CHECK(own != ranks.end());
  const GlooPlace place{static_cast<int>(own - ranks.begin()), static_cast<int>(ranks.size()),
                        address_.host == "127.0.0.1", patience};
  store_->setTimeout(patience);
  return {c10::make_intrusive<c10d::PrefixStore>(name, store_), place};
}

}  // namespace espalier
