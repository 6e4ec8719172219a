// SPDX-License-Identifier: Apache-2.0
#include "meter.h"

#include <fstream>
#include <malloc.h>
#include <string>

namespace espalier::bench {
namespace {

// A line of /proc/PROCESS/status that counts kibibytes, such as VmRSS.
std::int64_t status_bytes(const std::string& key, const std::string& process = "self") {
  std::ifstream status("/proc/" + process + "/status");
  for (std::string word; status >> word;) {
    if (word != key + ":") continue;
    std::int64_t kibibytes = 0;
    status >> kibibytes;
    return kibibytes * 1024;
  }
  return 0;
}

}  // namespace

MemoryMeter::MemoryMeter() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // resets the high-water mark
  before_ = status_bytes("VmRSS");
}

std::int64_t MemoryMeter::peak_bytes() const {
  return std::max<std::int64_t>(0, status_bytes("VmHWM") - before_);
}

std::int64_t peak_bytes_of(pid_t process) { return status_bytes("VmHWM", std::to_string(process)); }

}  // namespace espalier::bench
