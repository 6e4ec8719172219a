// SPDX-License-Identifier: Apache-2.0
#include "energy/nvml_meter.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/error.h"

namespace espalier {
namespace {

template <class Value>
Value or_throw(const NvmlAnswer<Value>& answer, const std::string& gpu) {
  if (answer.is_ok()) return answer.value;
  throw Error(ErrorCode::RunFailed, gpu + " no longer answers: " + nvml_words(answer.code),
              "does nvidia-smi still show it?");
}

Watts watts(unsigned milliwatts) { return {milliwatts * 1e-3}; }

using ProbeOrReason = std::variant<NvmlProbe, IgnoredSensor>;

// Asks each GPU once what it can tell.
class Search {
 public:
  Search(const NvmlLibrary& library, const NvmlOptions& options, const Clock& clock)
      : library_(library), options_(options), clock_(clock) {}

  ProbeOrReason look_at(unsigned index) const {
    const std::string number = "GPU " + std::to_string(index);
    const auto gpu = library_.gpu(index);
    if (!gpu.is_ok()) return IgnoredSensor{number, nvml_words(gpu.code)};
    const auto model = library_.name(gpu.value);
    NvmlProbe probe;
    probe.name = model.is_ok() ? number + " (" + model.value + ")" : number;
    probe.gpu = gpu.value;
    return with_sensor(std::move(probe));
  }

 private:
  ProbeOrReason with_sensor(NvmlProbe probe) const {
    const auto energy = library_.millijoules(probe.gpu);
    if (energy.is_ok()) {
      const CounterTraits traits{.name = probe.name,
                                 .joules_per_count = 1e-3,
                                 .range = std::nullopt,
                                 .most_power = options_.most_power};
      probe.counter.emplace(traits, CounterSample{energy.value, clock_.now()});
      return probe;
    }
    const auto power = library_.milliwatts(probe.gpu);
    if (!power.is_ok()) {
      return IgnoredSensor{
          probe.name, "energy: " + nvml_words(energy.code) + ", power: " + nvml_words(power.code)};
    }
    probe.integral.add(clock_.now(), watts(power.value));
    return probe;
  }

  const NvmlLibrary& library_;
  const NvmlOptions& options_;
  const Clock& clock_;
};

std::vector<unsigned> chosen_gpus(const NvmlOptions& options, unsigned count) {
  std::vector<unsigned> gpus = options.gpus;
  for (unsigned i = 0; options.gpus.empty() && i < count; ++i) gpus.push_back(i);
  std::sort(gpus.begin(), gpus.end());
  gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());
  return gpus;
}

Unavailable no_gpu(const std::vector<IgnoredSensor>& ignored) {
  if (ignored.empty()) return {"NVML lists no GPU", "does nvidia-smi show one?"};
  std::string reasons;
  for (const IgnoredSensor& gpu : ignored) {
    reasons += (reasons.empty() ? "" : "; ") + gpu.name + ": " + gpu.why;
  }
  return {"these GPUs do not tell their energy or power: " + reasons, ""};
}

}  // namespace

NvmlMeter::NvmlMeter(std::shared_ptr<NvmlLibrary> library, std::vector<NvmlProbe> probes,
                     std::vector<IgnoredSensor> ignored, const Clock& clock)
    : library_(std::move(library)),
      ignored_(std::move(ignored)),
      clock_(clock),
      probes_(std::move(probes)) {}

bool NvmlMeter::needs_sampling() const {
  return std::any_of(probes_.begin(), probes_.end(),
                     [](const NvmlProbe& probe) { return !probe.counter; });
}

Joules NvmlMeter::advance(NvmlProbe& probe) {
  if (probe.counter) {
    const uint64_t count = or_throw(library_->millijoules(probe.gpu), probe.name);
    probe.counter->advance({count, clock_.now()});
    return probe.counter->total();
  }
  const Watts power = watts(or_throw(library_->milliwatts(probe.gpu), probe.name));
  probe.integral.add(clock_.now(), power);
  return probe.integral.total();
}

EnergyReading NvmlMeter::read() {
  EnergyReading reading{.energy = {}, .provenance = Provenance::Measured, .source = "NVML "};
  for (NvmlProbe& probe : probes_) {
    reading.energy += advance(probe);
    if (&probe != probes_.data()) reading.source += ", ";
    reading.source += probe.name + (probe.counter ? "" : " power × time");
  }
  if (needs_sampling()) reading.provenance = Provenance::Estimated;
  return reading;
}

Opened<NvmlMeter> open_nvml_meter(const NvmlOptions& options, const Clock& clock) {
  const auto loaded = NvmlLibrary::load(options.library);
  if (const auto* reason = std::get_if<Unavailable>(&loaded)) return *reason;
  const auto& library = std::get<std::shared_ptr<NvmlLibrary>>(loaded);
  const auto count = library->gpu_count();
  if (!count.is_ok()) return Unavailable{"NVML counts no GPUs: " + nvml_words(count.code), ""};
  const Search search(*library, options, clock);
  std::vector<NvmlProbe> probes;
  std::vector<IgnoredSensor> ignored;
  for (const unsigned index : chosen_gpus(options, count.value)) {
    ProbeOrReason result = search.look_at(index);
    if (auto* reason = std::get_if<IgnoredSensor>(&result)) ignored.push_back(std::move(*reason));
    if (auto* probe = std::get_if<NvmlProbe>(&result)) probes.push_back(std::move(*probe));
  }
  // One that was asked for by its number must not be missing from the sum.
  const bool is_incomplete = !options.gpus.empty() && !ignored.empty();
  if (probes.empty() || is_incomplete) return no_gpu(ignored);
  return std::make_unique<NvmlMeter>(library, std::move(probes), std::move(ignored), clock);
}

}  // namespace espalier
