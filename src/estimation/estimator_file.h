// SPDX-License-Identifier: Apache-2.0
// Fitted estimators as bytes: a file of tensors (io/tensor_file.h). Reading it never runs code,
// never takes much more memory than the file has bytes, and fails with Error{BadInput} on anything
// that isn't exactly such a file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "networks/tensors.h"

namespace espalier {

// Weights as network_weights.h names them; none where that estimator wasn't fitted.
struct FittedEstimators {
  Tensors run{};
  Tensors change{};
  // What was learned about their mistakes. Its reader knows, and checks, what is in it.
  Tensors calibration{};
  // Where they come from, for people and programs that read the file: any text.
  std::string origin{};
  friend bool operator==(const FittedEstimators&, const FittedEstimators&) = default;
};

// The same estimators give the same bytes. Throws Error{BadInput} where weights are not those of
// such networks, or where there are none.
std::string estimator_bytes(const FittedEstimators& fitted);

// `source` begins the messages: a path, or who sent it.
FittedEstimators estimators_from_bytes(std::string_view bytes, const std::string& source);

// All or nothing: see io/durable_file.h.
void save_estimators(const FittedEstimators& fitted, const std::filesystem::path& path);

FittedEstimators load_estimators(const std::filesystem::path& path);

}  // namespace espalier
