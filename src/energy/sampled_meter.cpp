// SPDX-License-Identifier: Apache-2.0
#include "energy/sampled_meter.h"

#include <chrono>
#include <utility>

#include "core/error.h"

namespace espalier {

SampledMeter::SampledMeter(std::unique_ptr<Meter> meter, Seconds interval)
    : interval_(interval), meter_(std::move(meter)) {
  ESPALIER_CHECK(interval.value > 0);
  thread_ = std::jthread([this](const std::stop_token& stop) { sample_until(stop); });
}

EnergyReading SampledMeter::read() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return meter_->read();
}

void SampledMeter::sample_until(const std::stop_token& stop) {
  const std::chrono::duration<double> interval(interval_.value);
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, interval, [] { return false; });
    if (!stop.stop_requested()) sample();
  }
}

void SampledMeter::sample() {
  try {
    meter_->read();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace espalier
