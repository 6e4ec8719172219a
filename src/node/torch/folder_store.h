// SPDX-License-Identifier: Apache-2.0
// A meeting folder as a store of c10d. Includes headers of libtorch: for this folder only.
//
// c10d's own FileStore does not do for processes that may be killed or frozen: they hold the lock
// of its one file while they read and write, and a record that was cut off makes all others read
// for ever.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "node/meeting_folder.h"

namespace espalier {

// What a group of Gloo needs to find itself; counting is not supported. Owned by one thread.
class FolderStore final : public c10d::Store {
 public:
  FolderStore(const std::filesystem::path& path, int rank, std::chrono::milliseconds patience,
              const std::stop_token& stop)
      : Store(patience), folder_(path, rank, patience, stop) {}

  void set(const std::string& key, const std::vector<uint8_t>& value) override;
  std::vector<uint8_t> get(const std::string& key) override;
  // What there is, or else what is expected; changes nothing. REQUIRES: expected == desired.
  std::vector<uint8_t> compareSet(const std::string& key, const std::vector<uint8_t>& expected,
                                  const std::vector<uint8_t>& desired) override;
  bool deleteKey(const std::string& key) override;
  bool check(const std::vector<std::string>& keys) override;
  void wait(const std::vector<std::string>& keys) override { wait(keys, timeout_); }
  void wait(const std::vector<std::string>& keys,
            const std::chrono::milliseconds& timeout) override;
  int64_t add(const std::string& key, int64_t value) override;
  int64_t getNumKeys() override;

 private:
  MeetingFolder folder_;
};

}  // namespace espalier
