// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <gtest/gtest.h>

#include "estimation/estimator_file.h"
#include "estimation/forecaster_file.h"
#include "estimation/random_estimators.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

using support::Decoder;

Decoder estimator_files() {
  const FittedEstimators small{
      .run = support::random_run_network(1, {.hidden = 2, .places = 1, .joined = 1}),
      .change = support::random_change_network(1, {.first = 1, .second = 1}),
      .calibration = {{"run.margins", {{2}, {0.1F, 0.2F}}}},
      .origin = "a.csv"};
  return {"estimators", {estimator_bytes(small)}, [](std::string_view bytes) {
            return estimator_bytes(estimators_from_bytes(bytes, "e"));
          }};
}

// Where sums are right and figures are not.
Decoder tunings() {
  const Tensors sound = tuning_tensors({});
  std::string figures;
  for (const auto& [name, tensor] : sound)
    figures.append(reinterpret_cast<const char*>(tensor.values.data()),
                   tensor.values.size() * sizeof(float));
  return {"tuning", {figures}, [sound](std::string_view bytes) {
            Tensors tensors = sound;
            for (auto& [name, tensor] : tensors) {
              const std::size_t size = std::min(bytes.size(), tensor.values.size() * sizeof(float));
              if (size > 0) std::memcpy(tensor.values.data(), bytes.data(), size);
              bytes.remove_prefix(size);
            }
            tuning_from(tensors);
            return std::string();
          }};
}

TEST(FuzzedEstimators, AreRefusedOrUnderstoodByEveryReader) {
  support::expect_sound({estimator_files(), tunings()}, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
