// SPDX-License-Identifier: Apache-2.0
// Estimators for each group of seeds: fitted by the trainer, and kept for the next time.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "estimation/learning_forecaster.h"
#include "evidence/seed_split.h"

namespace espalier {

struct ShelfOptions {
  std::filesystem::path folder{};  // where they are kept
  std::string trainer{};           // empty: the one beside this program
  unsigned workers = 0;            // of each fit; 0: one per core
  // What is being done, for people.
  std::function<void(const std::string& news)> tell = [](const std::string&) {};
};

// One for each split, fitted to what it learns from, or found under the digest of the same rows and
// options. Fewer if it was stopped. Throws Error where the trainer is missing or fails.
std::vector<LearningForecaster> fetch_estimators(const std::vector<SeedSplit>& splits,
                                                 const ShelfOptions& options,
                                                 const std::stop_token& stop);

}  // namespace espalier
