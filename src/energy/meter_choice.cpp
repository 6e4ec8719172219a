// SPDX-License-Identifier: Apache-2.0
#include "energy/meter_choice.h"

#include <algorithm>
#include <utility>

#include "core/provenance.h"
#include "energy/combined_meter.h"
#include "energy/hwmon_meter.h"
#include "energy/sampled_meter.h"

namespace espalier {
namespace {

// Half of what is safe: a thread may wake up late.
constexpr double kCaution = 0.5;

std::unique_ptr<Meter> sampled(std::unique_ptr<Meter> meter, Seconds interval) {
  if (interval <= Seconds{}) return meter;
  return std::make_unique<SampledMeter>(std::move(meter), interval);
}

// Tries one kind of meter after the other and keeps the reasons.
class Choosing {
 public:
  Choosing(const MeterOptions& options, LoadModelMeter::Clocks clocks)
      : options_(options),
        clocks_(clocks),
        model_(find_modelled_device(options.modelled_device, options.local)) {}

  MeterChoice choose() {
    if (!add_rapl() && !add_hwmon()) add_model();
    add_gpus();
    MeterChoice choice{
        .meter = nullptr, .chosen = "", .how = how_, .not_used = std::move(not_used_)};
    choice.meter = parts_.size() == 1 ? std::move(parts_.front())
                                      : std::make_unique<CombinedMeter>(std::move(parts_));
    const EnergyReading first = choice.meter->read();
    choice.chosen = first.source + " (" + std::string(name_of(first.provenance)) + ")";
    return choice;
  }

 private:
  bool add_rapl() {
    auto opened = open_rapl_meter(options_.rapl, clocks_.wall);
    if (const auto* reason = std::get_if<Unavailable>(&opened)) return refuse("RAPL", *reason);
    auto& meter = std::get<std::unique_ptr<RaplMeter>>(opened);
    keep_ignored("RAPL", meter->ignored());
    const auto safe = meter->longest_safe_interval();
    parts_.push_back(safe ? sampled(std::move(meter), *safe * kCaution) : std::move(meter));
    not_used_.push_back({"board sensors", "RAPL counts the processors already", ""});
    return true;
  }

  bool add_hwmon() {
    auto opened = open_hwmon_meter(options_.hwmon, clocks_.wall);
    if (const auto* reason = std::get_if<Unavailable>(&opened)) {
      return refuse("board sensors", *reason);
    }
    auto& meter = std::get<std::unique_ptr<HwmonMeter>>(opened);
    keep_ignored("board sensors", meter->ignored());
    contains_gpus_ = meter->coverage() == Coverage::Machine;
    parts_.push_back(meter->needs_sampling() ? sampled(std::move(meter), options_.sampling_interval)
                                             : std::move(meter));
    return true;
  }

  void add_model() {
    how_ = model_.how;
    contains_gpus_ = model_.device.kind != DeviceKind::Processor;
    parts_.push_back(std::make_unique<LoadModelMeter>(model_.device, model_.processors, clocks_));
  }

  void add_gpus() {
    if (contains_gpus_) {
      not_used_.push_back({"NVML", "what is counted contains the GPU already", ""});
      return;
    }
    auto opened = open_nvml_meter(options_.nvml, clocks_.wall);
    if (const auto* reason = std::get_if<Unavailable>(&opened)) {
      refuse("NVML", *reason);
      return;
    }
    auto& meter = std::get<std::unique_ptr<NvmlMeter>>(opened);
    keep_ignored("NVML", meter->ignored());
    parts_.push_back(meter->needs_sampling() ? sampled(std::move(meter), options_.sampling_interval)
                                             : std::move(meter));
  }

  bool refuse(const char* meter, const Unavailable& reason) {
    not_used_.push_back({meter, reason.why, reason.hint});
    return false;
  }
  void keep_ignored(const std::string& meter, const std::vector<IgnoredSensor>& ignored) {
    for (const IgnoredSensor& sensor : ignored) {
      not_used_.push_back({meter + " " + sensor.name, sensor.why, ""});
    }
  }

  const MeterOptions& options_;
  const LoadModelMeter::Clocks clocks_;
  const LocalDevice model_;  // used only if nothing measures
  std::string how_;
  bool contains_gpus_ = false;
  std::vector<std::unique_ptr<Meter>> parts_;
  std::vector<NotUsed> not_used_;
};

}  // namespace

MeterChoice choose_meter(const MeterOptions& options, LoadModelMeter::Clocks clocks) {
  return Choosing(options, clocks).choose();
}

std::string explain(const MeterChoice& choice) {
  std::string text = "energy from " + choice.chosen;
  if (!choice.how.empty()) text += ", " + choice.how;
  const char* separator = "; not used: ";
  for (const NotUsed& other : choice.not_used) {
    text += separator + other.meter + " (" + other.why + ")";
    separator = ", ";
  }
  return text;
}

}  // namespace espalier
