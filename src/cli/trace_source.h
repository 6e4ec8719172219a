// SPDX-License-Identifier: Apache-2.0
// Where the traces of `reproduce` come from.
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

namespace espalier {

inline constexpr const char* kUsualTraces = "traces/factory-experiments.csv";

// `named`, a file or a folder of `collect`, or the usual ones. Throws Error{BadInput} if there are
// none of the usual ones here.
std::filesystem::path known_traces(const std::string& named);

struct CollectingAgain {
  std::string experiments;  // a scenario; empty: the example factory-experiments
  std::string trainer;      // empty: the one beside this program
  unsigned workers = 0;     // 0: one per core
};

// Real training, for hours: a `collect` of its own into a folder within `folder`, which can be
// stopped and goes on the next time. Nothing if it was stopped. If it failed, throws
// Error with its code: BadInput, NotAllowed where somebody else collects there, or RunFailed.
std::optional<std::filesystem::path> collect_again(const CollectingAgain& how,
                                                   const std::filesystem::path& folder,
                                                   const std::stop_token& stop);

}  // namespace espalier
