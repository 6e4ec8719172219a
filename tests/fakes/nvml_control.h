// SPDX-License-Identifier: Apache-2.0
// Sets what the fake management library says. ESPALIER_FAKE_NVML is where it is.
#pragma once

#include <dlfcn.h>
#include <stdexcept>

#include "fakes/nvml.h"

namespace espalier::fakes {

// One GPU that works, anew for each test. The library stays loaded as long as this lives.
class NvmlControl {
 public:
  NvmlControl() : library_(::dlopen(ESPALIER_FAKE_NVML, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
    fake_ = static_cast<FakeNvml*>(::dlsym(library_, "fake_nvml"));
    *fake_ = FakeNvml{};
  }
  ~NvmlControl() { ::dlclose(library_); }
  NvmlControl(const NvmlControl&) = delete;
  NvmlControl& operator=(const NvmlControl&) = delete;
  FakeNvml* operator->() const { return fake_; }

 private:
  void* library_;
  FakeNvml* fake_;
};

}  // namespace espalier::fakes
