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
#include "node/torch/folder_store.h"

namespace espalier {
namespace {

constexpr std::chrono::seconds kTimeToMeet{60};
constexpr std::chrono::milliseconds kBetweenGlances{10};
constexpr std::string_view kNothing = "there is nothing of this name";

// One of this user's own among the temporary files.
std::filesystem::path path_of(const CrewAddress& address) {
  return std::filesystem::temp_directory_path() /
         (address.folder + "-" + std::to_string(::geteuid()));
}

std::string words_of(const CrewAddress& address) {
  return address.folder.empty() ? address.host + ":" + std::to_string(address.port)
                                : "a folder of their own";
}

template <class Work>
auto at_store(const CrewAddress& address, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    throw Error(
        ErrorCode::RunFailed,
        "rank 0 of the group cannot be reached at " + words_of(address) + ": " + error.what(),
        "--group HOST:PORT names another place");
  }
}

// What one group puts there, which is of no use after it: there is one for every epoch. When it
// goes, its members have found each other, or never will.
class PassingStore final : public c10d::PrefixStore {
 public:
  using PrefixStore::PrefixStore;
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

 private:
  std::vector<std::string> keys_;
};

c10::intrusive_ptr<c10d::Store> store_at(const CrewAddress& address) {
  if (!address.folder.empty())
    return c10::make_intrusive<FolderStore>(path_of(address), address.rank, kTimeToMeet);
  c10d::TCPStoreOptions options;
  options.port = address.port;
  options.isServer = address.rank == 0;
  options.waitWorkers = false;
  options.timeout = kTimeToMeet;
  return c10::make_intrusive<c10d::TCPStore>(address.host, options);
}

}  // namespace

MeetingPlace::MeetingPlace(const CrewAddress& address)
    : address_(address), store_(at_store(address, [&] { return store_at(address); })) {}

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
                        !address_.folder.empty(), patience};
  store_->setTimeout(patience);
  return {c10::make_intrusive<PassingStore>(name, store_), place};
}

}  // namespace espalier
