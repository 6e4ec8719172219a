// SPDX-License-Identifier: Apache-2.0
#include "energy/nvml_library.h"

#include <array>
#include <dlfcn.h>
#include <utility>

namespace espalier {

// As NVML's documentation describes them. Each returns 0, or what went wrong.
struct NvmlLibrary::Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, Gpu*) = nullptr;
  int (*name)(Gpu, char*, unsigned) = nullptr;
  int (*energy)(Gpu, unsigned long long*) = nullptr;
  int (*power)(Gpu, unsigned*) = nullptr;
};

namespace {

constexpr std::size_t kLongestName = 96;  // NVML's own limit

// Looks up functions until one is missing, and remembers which.
class Lookup {
 public:
  explicit Lookup(void* library) : library_(library) {}
  template <class Function>
  void find(const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, symbol));
    if (function == nullptr && missing.empty()) missing = symbol;
  }
  std::string missing;

 private:
  void* library_;
};

Unavailable not_loaded(const std::filesystem::path& path) {
  const char* const reason = ::dlerror();  // names the file
  return {"cannot be loaded: " + (reason == nullptr ? path.string() : std::string(reason)),
          "it comes with NVIDIA's driver; without an NVIDIA GPU there is nothing to do"};
}

}  // namespace

std::string nvml_words(int code) {
  switch (code) {
    case 0:
      return "success";
    case 1:
      return "the library is not initialised";
    case 3:
      return "not supported";
    case 4:
      return "no permission";
    case 6:
      return "not found";
    case 9:
      return "the driver is not loaded";
    case 15:
      return "the GPU is lost";
    case 18:
      return "library and driver have different versions";
    default:
      return "NVML error " + std::to_string(code);
  }
}

std::variant<std::shared_ptr<NvmlLibrary>, Unavailable> NvmlLibrary::load(
    const std::filesystem::path& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return not_loaded(path);
  auto functions = std::make_unique<Functions>();
  Lookup lookup(library);
  lookup.find("nvmlInit_v2", functions->init);
  lookup.find("nvmlShutdown", functions->shutdown);
  lookup.find("nvmlDeviceGetCount_v2", functions->count);
  lookup.find("nvmlDeviceGetHandleByIndex_v2", functions->handle);
  lookup.find("nvmlDeviceGetName", functions->name);
  lookup.find("nvmlDeviceGetTotalEnergyConsumption", functions->energy);
  lookup.find("nvmlDeviceGetPowerUsage", functions->power);
  if (!lookup.missing.empty()) {
    ::dlclose(library);
    return Unavailable{path.string() + " has no function " + lookup.missing,
                       "a driver from 2018 or later has it"};
  }
  if (const int code = functions->init(); code != 0) {
    ::dlclose(library);
    return Unavailable{path.string() + " does not start: " + nvml_words(code),
                       "does nvidia-smi work?"};
  }
  return std::make_shared<NvmlLibrary>(library, std::move(functions));
}

NvmlLibrary::NvmlLibrary(void* library, std::unique_ptr<const Functions> functions)
    : library_(library), functions_(std::move(functions)) {}

NvmlLibrary::~NvmlLibrary() {
  functions_->shutdown();
  ::dlclose(library_);
}

NvmlAnswer<unsigned> NvmlLibrary::gpu_count() const {
  NvmlAnswer<unsigned> answer;
  answer.code = functions_->count(&answer.value);
  return answer;
}

NvmlAnswer<NvmlLibrary::Gpu> NvmlLibrary::gpu(unsigned index) const {
  NvmlAnswer<Gpu> answer;
  answer.code = functions_->handle(index, &answer.value);
  return answer;
}

NvmlAnswer<std::string> NvmlLibrary::name(Gpu gpu) const {
  std::array<char, kLongestName + 1> text{};
  const int code = functions_->name(gpu, text.data(), kLongestName);
  return {text.data(), code};
}

NvmlAnswer<uint64_t> NvmlLibrary::millijoules(Gpu gpu) const {
  unsigned long long value = 0;
  const int code = functions_->energy(gpu, &value);
  return {value, code};
}

NvmlAnswer<unsigned> NvmlLibrary::milliwatts(Gpu gpu) const {
  NvmlAnswer<unsigned> answer;
  answer.code = functions_->power(gpu, &answer.value);
  return answer;
}

}  // namespace espalier
