// SPDX-License-Identifier: Apache-2.0
// Processor time: other programs take none of it.
#pragma once

#include <ctime>

namespace espalier::bench {

// Of all threads of this process.
class CpuWatch {
 public:
  double seconds() const { return static_cast<double>(std::clock() - begin_) / CLOCKS_PER_SEC; }

 private:
  std::clock_t begin_ = std::clock();
};

}  // namespace espalier::bench
