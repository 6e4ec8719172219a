// SPDX-License-Identifier: Apache-2.0
// The few functions of NVIDIA's management library that we need, loaded at run time: the program
// neither links nor requires it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "energy/availability.h"

namespace espalier {

// What a call gave: a value, or why not in the words of NVML.
template <class Value>
struct NvmlAnswer {
  Value value{};
  int code = 0;  // 0 is success
  bool is_ok() const { return code == 0; }
};

// "not supported", "the GPU is lost", …
std::string nvml_words(int code);

// Loaded and initialised as long as it lives. Thread-safe, as NVML is.
class NvmlLibrary {
 public:
  struct Functions;
  using Gpu = struct NvmlGpu*;

  // A name without a folder is looked for where the system keeps libraries.
  static std::variant<std::shared_ptr<NvmlLibrary>, Unavailable> load(
      const std::filesystem::path& path);
  NvmlLibrary(void* library, std::unique_ptr<const Functions> functions);
  ~NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  NvmlAnswer<unsigned> gpu_count() const;
  NvmlAnswer<Gpu> gpu(unsigned index) const;
  NvmlAnswer<std::string> name(Gpu gpu) const;
  NvmlAnswer<uint64_t> millijoules(Gpu gpu) const;  // since the driver was loaded
  NvmlAnswer<unsigned> milliwatts(Gpu gpu) const;

 private:
  void* const library_;
  const std::unique_ptr<const Functions> functions_;
};

}  // namespace espalier
