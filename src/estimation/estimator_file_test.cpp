// SPDX-License-Identifier: Apache-2.0
#include "estimation/estimator_file.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/network_forecast.h"
#include "estimation/random_estimators.h"
#include "io/tensor_file.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

FittedEstimators small_estimators() {
  return {.run = support::random_run_network(1, {.hidden = 2, .places = 1, .joined = 1}),
          .change = support::random_change_network(1, {.first = 1, .second = 1}),
          .calibration = {{"run.margins", {{2}, {0.1F, 0.2F}}}},
          .origin = R"({"traces":"a.csv"})"};
}

std::string file_fault(const std::string& bytes) {
  try {
    estimators_from_bytes(bytes, "e");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

TEST(EstimatorFile, ForecastsAreTheSameToTheBitAfterSavingAndLoading) {
  const TemporaryFolder folder;
  const FittedEstimators fitted{.run = support::random_run_network(4),
                                .change = support::random_change_network(5)};
  save_estimators(fitted, folder.path() / "e");
  const FittedEstimators loaded = load_estimators(folder.path() / "e");
  EXPECT_EQ(loaded, fitted);
  const std::vector histories{support::falling_history(20, 4, 0.25)};
  EXPECT_EQ(NetworkRunEstimator(loaded.run).forecast(histories),
            NetworkRunEstimator(fitted.run).forecast(histories));
  const std::vector<Pruning> changes{{0, 0.5, {1, 0.9, 0.8, 0.7, 0.6}}};
  EXPECT_EQ(NetworkChangeEstimator(loaded.change).after(changes),
            NetworkChangeEstimator(fitted.change).after(changes));
}

TEST(EstimatorFile, KeepsEverything) {
  const FittedEstimators fitted = small_estimators();
  EXPECT_EQ(estimators_from_bytes(estimator_bytes(fitted), "e"), fitted);
  EXPECT_EQ(estimator_bytes(fitted), estimator_bytes(small_estimators()));
}

TEST(EstimatorFile, EitherEstimatorMayBeAbsentButNotBoth) {
  FittedEstimators fitted = small_estimators();
  fitted.change.clear();
  EXPECT_EQ(estimators_from_bytes(estimator_bytes(fitted), "e"), fitted);
  fitted.run.clear();
  EXPECT_THROW(estimator_bytes(fitted), Error);
}

TEST(EstimatorFile, EveryTruncationIsNoticed) {
  const std::string bytes = estimator_bytes(small_estimators());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(file_fault(bytes.substr(0, size)), "") << size;
  }
  EXPECT_TRUE(contains(file_fault(bytes + "x"), "e: the tensors need"));
}

// Whatever bit flips: either an error, or it was in the padding and nothing changed.
TEST(EstimatorFile, AFlippedBitIsNoticedInWhateverByte) {
  const FittedEstimators fitted = small_estimators();
  const std::string sound = estimator_bytes(fitted);
  for (std::size_t i = 0; i < sound.size(); ++i) {
    std::string bytes = sound;
    bytes[i] = static_cast<char>(bytes[i] ^ (1 << (i % 8)));
    try {
      EXPECT_EQ(estimators_from_bytes(bytes, "e"), fitted) << i;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::BadInput) << i;
    }
  }
}

TEST(EstimatorFile, HugeFilesAreRefusedBeforeTheyAreRead) {
  std::string bytes = estimator_bytes(small_estimators());
  bytes.replace(0, 8, 8, '\xff');
  EXPECT_EQ(file_fault(bytes),
            "e: not a file of estimators: a header of 18446744073709551615 bytes");
  FittedEstimators large = small_estimators();
  large.calibration["much"] = {{17, 1 << 20}, std::vector<float>(17U << 20U)};
  EXPECT_TRUE(contains(file_fault(estimator_bytes(large)), "more than estimators have"));
}

TEST(EstimatorFile, AHugeSparseFileCostsNoMemory) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "sparse";
  std::ofstream(path) << estimator_bytes(small_estimators());
  std::filesystem::resize_file(path, uintmax_t{1} << 40);
  EXPECT_THROW(load_estimators(path), Error);
}

TEST(EstimatorFile, OddWeightsAreNotWritten) {
  FittedEstimators fitted = small_estimators();
  fitted.run["output.bias"].values[0] = NAN;
  EXPECT_THROW(estimator_bytes(fitted), Error);
}

// A sound file of tensors with these names.
std::string strange_file(const Tensors& tensors) {
  std::vector<NamedTensor> named;
  for (const auto& [name, tensor] : tensors) named.push_back({name, &tensor});
  std::string bytes;
  write_tensor_file({"espalier-estimators-1", "origin", ""}, "", named,
                    [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

TEST(EstimatorFile, TensorsOfOtherNetworksAreNotRead) {
  const Tensor tensor{{1}, {1.0F}};
  EXPECT_EQ(file_fault(strange_file({{"other/a", tensor}})),
            "e: the tensor 'other/a' belongs to no estimator");
  EXPECT_EQ(file_fault(strange_file({{"run/a", tensor}})), "e: estimator: lstm.bias is missing");
  EXPECT_EQ(file_fault(strange_file({{"calibration/a", tensor}})), "e: it holds no estimator");
}

TEST(EstimatorFile, OtherFilesAreRefused) {
  EXPECT_EQ(file_fault("1234"), "e: too short for a file of estimators");
  std::string bytes = estimator_bytes(small_estimators());
  bytes.replace(bytes.find("espalier-estimators-1"), 21, "espalier-estimators-2");
  EXPECT_EQ(file_fault(bytes), "e: __metadata__.format is not 'espalier-estimators-1'");
}

}  // namespace
}  // namespace espalier
