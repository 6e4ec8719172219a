// SPDX-License-Identifier: Apache-2.0
// Stands in for NVIDIA's management library: tests load it, and set what it says.
#include "fakes/nvml.h"

#include <cstdio>

// NOLINTBEGIN(readability-identifier-naming): the names are NVML's.
extern "C" {

FakeNvml fake_nvml;

int nvmlInit_v2() {
  if (fake_nvml.init_code != 0) return fake_nvml.init_code;
  ++fake_nvml.users;
  return 0;
}

int nvmlShutdown() {
  --fake_nvml.users;
  return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = fake_nvml.gpu_count;
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, FakeGpu** gpu) {
  if (index >= fake_nvml.gpu_count) return 2;
  *gpu = &fake_nvml.gpus[index];
  return 0;
}

int nvmlDeviceGetName(FakeGpu* gpu, char* name, unsigned length) {
  std::snprintf(name, length, "%s", gpu->name);
  return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(FakeGpu* gpu, unsigned long long* millijoules) {
  *millijoules = gpu->millijoules;
  return gpu->energy_code;
}

int nvmlDeviceGetPowerUsage(FakeGpu* gpu, unsigned* milliwatts) {
  *milliwatts = gpu->milliwatts;
  return gpu->power_code;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
