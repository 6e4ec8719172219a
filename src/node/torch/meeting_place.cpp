// SPDX-License-Identifier: Apache-2.0
#include "node/torch/meeting_place.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <thread>
#include <unistd.h>

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/error.h"
#include "node/own_address.h"
#include "node/torch/folder_store.h"

namespace espalier {
namespace {

using SteadyTime = std::chrono::steady_clock;

constexpr std::chrono::seconds kTimeToMeet{60};
// A connection that is being made does not notice that one is asked to stop.
constexpr std::chrono::seconds kTimeToTry{1};
constexpr std::chrono::milliseconds kBetweenTries{500};
constexpr std::chrono::milliseconds kBetweenGlances{10};
constexpr const char* kOneMachine = "127.0.0.1";
constexpr std::string_view kNothing = "there is nothing of this name";

// One of this user's own among the temporary files.
std::filesystem::path path_of(const CrewAddress& address) {
  std::error_code failure;
  const auto temporary = std::filesystem::temp_directory_path(failure);
  if (failure)
    throw Error(ErrorCode::BadInput, "no folder for temporary files: " + failure.message(),
                "TMPDIR has to name a folder that there is");
  return temporary / (address.folder + "-" + std::to_string(::geteuid()));
}

// What is an error of ours says itself what to do.
template <class Work>
auto at_store(const CrewAddress& address, const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::RunFailed,
                "rank 0 of the group cannot be reached at " + address.host + ":" +
                    std::to_string(address.port) + ": " + error.what(),
                "--group HOST:PORT names another place");
  }
}

// What one group puts there, which is of no use after it: there is one for every epoch. When it
// goes, its members have found each other, or never will.
class PassingStore final : public c10d::PrefixStore {
 public:
  PassingStore(const std::string& name, c10::intrusive_ptr<c10d::Store> store,
               IsHopeless is_hopeless)
      : PrefixStore(name, std::move(store)), is_hopeless_(std::move(is_hopeless)) {}
  ~PassingStore() override {
    try {
      for (const std::string& key : keys_) deleteKey(key);
    } catch (const std::exception&) {
      return;  // the whole store is gone
    }
  }
  void set(const std::string& key, const std::vector<uint8_t>& value) override {
    keys_.push_back(key);
    PrefixStore::set(key, value);
  }
  // The store's own waiting leaves the connection unusable when its time is over.
  void wait(const std::vector<std::string>& keys,
            const std::chrono::milliseconds& patience) override {
    const auto end = SteadyTime::now() + patience;
    while (!check(keys)) {
      if (is_hopeless_ && is_hopeless_())
        throw Error(ErrorCode::RunFailed, "a process of the group has left");
      if (SteadyTime::now() >= end)
        throw Error(ErrorCode::RunFailed, "a process of the group does not come");
      std::this_thread::sleep_for(kBetweenGlances);
    }
  }

 private:
  const IsHopeless is_hopeless_;
  std::vector<std::string> keys_;
};

c10::intrusive_ptr<c10d::Store> tcp_store(const CrewAddress& address,
                                          std::chrono::milliseconds patience) {
  c10d::TCPStoreOptions options;
  options.port = address.port;
  options.isServer = address.rank == 0;
  options.waitWorkers = false;
  options.timeout = patience;
  // It listens everywhere, whether it knows itself by the name that the others call it or not.
  const std::string host = options.isServer ? kOneMachine : address.host;
  return c10::make_intrusive<c10d::TCPStore>(host, options);
}

void rest(std::chrono::milliseconds time, const std::stop_token& stop) {
  const auto end = SteadyTime::now() + time;
  while (!stop.stop_requested() && SteadyTime::now() < end)
    std::this_thread::sleep_for(kBetweenGlances);
}

c10::intrusive_ptr<c10d::Store> store_of_leader(const CrewAddress& address,
                                                const std::stop_token& stop) {
  const auto end = SteadyTime::now() + kTimeToMeet;
  for (;;) {
    try {
      auto store = tcp_store(address, kTimeToTry);
      store->setTimeout(kTimeToMeet);
      return store;
    } catch (const std::exception&) {
      if (stop.stop_requested() || SteadyTime::now() >= end) throw;
    }
    rest(kBetweenTries, stop);
  }
}

c10::intrusive_ptr<c10d::Store> store_at(const CrewAddress& address, const std::stop_token& stop) {
  if (!address.folder.empty())
    return c10::make_intrusive<FolderStore>(path_of(address), address.rank, kTimeToMeet, stop);
  return address.rank == 0 ? tcp_store(address, kTimeToMeet) : store_of_leader(address, stop);
}

// By what a machine calls itself the others do not always reach it: that may lead to loopback.
std::string number_of(const CrewAddress& address) {
  if (!address.folder.empty()) return kOneMachine;
  return own_address_towards({address.host, address.port});
}

}  // namespace

MeetingPlace::MeetingPlace(const CrewAddress& address, const std::stop_token& stop)
    : address_(address),
      store_(at_store(address, [&] { return store_at(address, stop); })),
      own_address_(number_of(address)) {}

void MeetingPlace::put(const std::string& key, const std::string& value) {
  at_store(address_, [&] { store_->set(key, {value.begin(), value.end()}); });
}

std::optional<std::string> MeetingPlace::look(const std::string& key) {
  return at_store(address_, [&]() -> std::optional<std::string> {
    // To ask first and then to get would wait for what was cleared in between. This is the one
    // question that a store answers at once, whatever there is.
    const std::vector<std::uint8_t> nothing(kNothing.begin(), kNothing.end());
    const std::vector<std::uint8_t> value = store_->compareSet(key, nothing, nothing);
    if (value == nothing) return std::nullopt;
    return std::string(value.begin(), value.end());
  });
}

void MeetingPlace::clear(const std::string& key) {
  at_store(address_, [&] { store_->deleteKey(key); });
}

std::optional<std::string> MeetingPlace::wait_for(const std::string& key,
                                                  std::chrono::milliseconds patience,
                                                  const IsHopeless& is_hopeless) {
  const auto end = SteadyTime::now() + patience;
  for (;;) {
    // Who leaves may have put it there just before.
    const bool is_over = (is_hopeless && is_hopeless()) || SteadyTime::now() >= end;
    if (auto value = look(key)) return value;
    if (is_over) return std::nullopt;
    std::this_thread::sleep_for(kBetweenGlances);
  }
}

GlooGroup MeetingPlace::form(const std::string& name, const std::vector<int>& ranks,
                             std::chrono::milliseconds patience, IsHopeless is_hopeless) {
  const auto own = std::ranges::find(ranks, address_.rank);
  ESPALIER_CHECK(own != ranks.end());
  const GlooPlace place{static_cast<int>(own - ranks.begin()), static_cast<int>(ranks.size()),
                        own_address_, patience};
  store_->setTimeout(patience);
  return {c10::make_intrusive<PassingStore>(name, store_, std::move(is_hopeless)), place};
}

}  // namespace espalier
