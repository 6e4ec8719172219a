// SPDX-License-Identifier: Apache-2.0
// A powercap tree that a test makes up.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "support/temporary_folder.h"

namespace espalier::fakes {

class FakePowercap {
 public:
  std::filesystem::path root() const { return folder_.path(); }
  const TemporaryFolder& folder() const { return folder_; }

  // `zone` is such as "intel-rapl:0:1", `name` such as "dram".
  void add(const std::string& zone, const std::string& name, uint64_t microjoules) const {
    folder_.write(zone + "/name", name + "\n");
    folder_.write(zone + "/max_energy_range_uj", std::to_string(kRange) + "\n");
    set(zone, microjoules);
  }
  void set(const std::string& zone, uint64_t microjoules) const {
    folder_.write(zone + "/energy_uj", std::to_string(microjoules) + "\n");
  }

  static constexpr uint64_t kRange = 262'143'328'850;

 private:
  TemporaryFolder folder_;
};

}  // namespace espalier::fakes
