// SPDX-License-Identifier: Apache-2.0
// Reads another meter regularly, so that nothing happens unseen between two reads.
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "core/meter.h"

namespace espalier {

// For counters that go around, and for power that has to be integrated. A thread of its own reads
// the meter every `interval`. Thread-safe.
class SampledMeter final : public Meter {
 public:
  // REQUIRES: interval > 0.
  SampledMeter(std::unique_ptr<Meter> meter, Seconds interval);

  // A fresh reading. Throws what the meter throws now, or once what it threw in between: the energy
  // of that stretch is doubtful.
  EnergyReading read() override;

 private:
  void sample_until(const std::stop_token& stop);
  void sample();

  const Seconds interval_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::unique_ptr<Meter> meter_;  // guarded by mutex_, as is the next
  std::exception_ptr failure_;
  std::jthread thread_;  // last: it ends before what it uses
};

}  // namespace espalier
