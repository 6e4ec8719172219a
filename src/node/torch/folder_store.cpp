// SPDX-License-Identifier: Apache-2.0
#include "node/torch/folder_store.h"

#include <algorithm>
#include <thread>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::chrono::milliseconds kBetweenChecks{10};

}  // namespace

void FolderStore::set(const std::string& key, const std::vector<uint8_t>& value) {
  folder_.put(key, {value.begin(), value.end()});
}

std::vector<uint8_t> FolderStore::get(const std::string& key) {
  wait({key});
  const std::string value = folder_.look(key).value_or("");
  return {value.begin(), value.end()};
}

std::vector<uint8_t> FolderStore::compareSet(const std::string& key,
                                             const std::vector<uint8_t>& expected,
                                             const std::vector<uint8_t>& desired) {
  ESPALIER_CHECK(expected == desired);
  const auto value = folder_.look(key);
  return value ? std::vector<uint8_t>(value->begin(), value->end()) : expected;
}

bool FolderStore::deleteKey(const std::string& key) {
  folder_.clear(key);
  return true;
}

bool FolderStore::check(const std::vector<std::string>& keys) {
  return std::ranges::all_of(keys, [&](const auto& key) { return folder_.look(key).has_value(); });
}

void FolderStore::wait(const std::vector<std::string>& keys,
                       const std::chrono::milliseconds& timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!check(keys)) {
    if (timeout != kNoTimeout && std::chrono::steady_clock::now() >= end)
      throw Error(ErrorCode::RunFailed, "a process of the group does not come");
    std::this_thread::sleep_for(kBetweenChecks);
  }
}

int64_t FolderStore::add(const std::string&, int64_t) {
  report_bug("a meeting folder does not count", __FILE__, __LINE__);
}

int64_t FolderStore::getNumKeys() {
  report_bug("a meeting folder does not count", __FILE__, __LINE__);
}

}  // namespace espalier
