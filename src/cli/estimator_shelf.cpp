// SPDX-License-Identifier: Apache-2.0
#include "cli/estimator_shelf.h"

#include <fmt/format.h>

#include "cli/child_program.h"
#include "cli/exit_code.h"
#include "cli/trainer_program.h"
#include "core/error.h"
#include "estimation/forecaster_file.h"
#include "io/durable_write.h"
#include "io/trace_file.h"
#include "wire/digest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// Other programs may fit otherwise.
constexpr const char* kShelfVersion = "espalier " ESPALIER_VERSION " fit 2";
constexpr std::size_t kDigestShown = 16;

std::string shelf_name(const std::string& traces) {
  Digest digest;
  digest.add(kShelfVersion);
  digest.add(traces);
  return digest.finish().substr(0, kDigestShown);
}

// False if it was stopped.
bool fit_to(const fs::path& target, const std::string& traces, const ShelfOptions& options,
            const std::stop_token& stop) {
  const fs::path rows = fs::path(target).replace_extension(".csv");
  const fs::path unfinished = fs::path(target).replace_extension(".unfinished");
  write_durably(rows, traces);
  ChildOrder order{.program = trainer_program(options.trainer),
                   .words = {"fit", rows.string(), "--output", unfinished.string(), "--force",
                             "--format", "json"},
                   .answer = fs::path(target).replace_extension(".json")};
  if (options.workers > 0) {
    order.words.emplace_back("--workers");
    order.words.push_back(std::to_string(options.workers));
  }
  const int code = run_to_end(order, stop);
  if (stop.stop_requested() || code == static_cast<int>(ExitCode::Stopped)) return false;
  if (code != 0)
    throw Error(ErrorCode::RunFailed,
                fmt::format("fitting estimators failed with exit code {}", code),
                "what it said is above; espalier fit " + rows.string() + " does the same");
  fs::rename(unfinished, target);
  return true;
}

}  // namespace

std::vector<LearningForecaster> fetch_estimators(const std::vector<SeedSplit>& splits,
                                                 const ShelfOptions& options,
                                                 const std::stop_token& stop) {
  make_folder_durably(options.folder);
  std::vector<LearningForecaster> fetched;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    const std::string traces = trace_text(splits[i].learnt_rows);
    const fs::path file = options.folder / (shelf_name(traces) + ".fitted");
    const bool is_there = fs::exists(file);
    options.tell(fmt::format("estimators {} of {}, learnt from seeds {}: {}", i + 1, splits.size(),
                             seeds_listed(splits[i].learnt),
                             is_there ? "here from last time" : "fitting"));
    if (!is_there && !fit_to(file, traces, options, stop)) return fetched;
    fetched.push_back(load_forecaster(file));
  }
  return fetched;
}

}  // namespace espalier
