// SPDX-License-Identifier: Apache-2.0
// What the fake management library is to say. Its symbol is `fake_nvml`.
#pragma once

struct FakeGpu {
  const char* name = "Fake T4";
  unsigned long long millijoules = 0;
  unsigned milliwatts = 0;
  int energy_code = 0;
  int power_code = 0;
};

struct FakeNvml {
  int init_code = 0;
  int users = 0;  // initialised and not yet shut down
  unsigned gpu_count = 1;
  FakeGpu gpus[4];
};
