// SPDX-License-Identifier: Apache-2.0
// Energy of NVIDIA GPUs, as their driver tells it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/meter.h"
#include "energy/energy_counter.h"
#include "energy/nvml_library.h"
#include "energy/power_integral.h"

namespace espalier {

struct NvmlOptions {
  // NVIDIA's management library; another one in tests.
  std::filesystem::path library = "libnvidia-ml.so.1";
  // Indices of the GPUs to count, as nvidia-smi numbers them; empty means all.
  std::vector<unsigned> gpus;
  // What no GPU draws. A counter that moves faster was reset.
  Watts most_power{5000};
};

// One GPU: its counter (Volta and later), or the integral of its power.
struct NvmlProbe {
  std::string name;  // "GPU 0 (Tesla T4)"
  NvmlLibrary::Gpu gpu = nullptr;
  std::optional<EnergyCounter> counter;
  PowerIntegral integral;
};

// Whole GPUs, other programs included. Measured if all of them have counters; estimated if any has
// only its power, by the trapezoid rule between reads: let a SampledMeter read it then. A GPU that
// tells neither is ignored, and the source does not name it. Owned by one thread.
class NvmlMeter final : public Meter {
 public:
  // `clock` must outlive the meter.
  NvmlMeter(std::shared_ptr<NvmlLibrary> library, std::vector<NvmlProbe> probes,
            std::vector<IgnoredSensor> ignored, const Clock& clock);

  // Throws Error{RunFailed} if a GPU no longer answers; a later read may succeed.
  EnergyReading read() override;

  bool needs_sampling() const;
  const std::vector<IgnoredSensor>& ignored() const { return ignored_; }

 private:
  Joules advance(NvmlProbe& probe);

  const std::shared_ptr<NvmlLibrary> library_;
  const std::vector<IgnoredSensor> ignored_;
  const Clock& clock_;
  std::vector<NvmlProbe> probes_;
};

// Loads the library, finds the GPUs and starts to count.
Opened<NvmlMeter> open_nvml_meter(const NvmlOptions& options, const Clock& clock);

}  // namespace espalier
