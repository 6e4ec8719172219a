// SPDX-License-Identifier: Apache-2.0
#include "estimation/estimator_file.h"

#include <array>
#include <vector>

#include "core/error.h"
#include "estimation/network_weights.h"
#include "io/byte_source.h"
#include "io/durable_file.h"
#include "io/tensor_file.h"

namespace espalier {
namespace {

constexpr TensorFileKind kEstimatorFile{"espalier-estimators-1", "origin", "a file of estimators"};

// Far more than the widest networks have.
constexpr uint64_t kMostBytes = uint64_t{64} << 20;

struct Part {
  std::string_view prefix;
  Tensors FittedEstimators::*tensors;
};

constexpr std::array kParts{Part{"run/", &FittedEstimators::run},
                            Part{"change/", &FittedEstimators::change},
                            Part{"calibration/", &FittedEstimators::calibration}};

[[noreturn]] void bad_estimators(const std::string& source, const std::string& what,
                                 const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, source + ": " + what, hint);
}

void check_networks(const FittedEstimators& fitted) {
  if (!fitted.run.empty()) run_shape(fitted.run);
  if (!fitted.change.empty()) change_shape(fitted.change);
  if (fitted.run.empty() && fitted.change.empty()) {
    throw Error(ErrorCode::BadInput, "it holds no estimator");
  }
}

std::vector<NamedTensor> parts_of(const FittedEstimators& fitted) {
  std::vector<NamedTensor> all;
  for (const auto& [prefix, tensors] : kParts) {
    for (const auto& [name, tensor] : fitted.*tensors) {
      all.push_back({std::string(prefix) + name, &tensor});
    }
  }
  return all;
}

template <class Write>
void write_estimators(const FittedEstimators& fitted, const Write& write) {
  check_networks(fitted);
  write_tensor_file(kEstimatorFile, fitted.origin, parts_of(fitted), write);
}

void place_part(FittedEstimators& fitted, const std::string& name, Tensor tensor,
                const std::string& source) {
  for (const auto& [prefix, tensors] : kParts) {
    if (!name.starts_with(prefix)) continue;
    (fitted.*tensors).emplace(name.substr(prefix.size()), std::move(tensor));
    return;
  }
  bad_estimators(source, "the tensor '" + name + "' belongs to no estimator",
                 "a file of a later version?");
}

FittedEstimators read_estimators(ByteSource& source) {
  TensorFileReader file(kEstimatorFile, source);
  if (file.data_size() > kMostBytes) {
    bad_estimators(source.name(), std::to_string(file.data_size()) +
                                      " bytes of tensors, more than estimators have");
  }
  FittedEstimators fitted{.origin = file.subject()};
  for (auto& [name, tensor] : file.read()) {
    place_part(fitted, name, std::move(tensor), source.name());
  }
  try {
    check_networks(fitted);
  } catch (const Error& error) {
    bad_estimators(source.name(), error.what(), error.hint());
  }
  return fitted;
}

}  // namespace

std::string estimator_bytes(const FittedEstimators& fitted) {
  std::string bytes;
  write_estimators(fitted, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

FittedEstimators estimators_from_bytes(std::string_view bytes, const std::string& source) {
  BufferSource buffer(bytes, source);
  return read_estimators(buffer);
}

void save_estimators(const FittedEstimators& fitted, const std::filesystem::path& path) {
  DurableFile file(path);
  write_estimators(fitted, [&](std::string_view piece) { file.write(piece); });
  file.commit();
}

FittedEstimators load_estimators(const std::filesystem::path& path) {
  FileSource file(path);
  return read_estimators(file);
}

}  // namespace espalier
