// SPDX-License-Identifier: Apache-2.0
#include "cli/trace_source.h"

#include <fmt/format.h>

#include "cli/child_program.h"
#include "cli/exit_code.h"
#include "core/error.h"
#include "io/durable_write.h"
#include "studies/examples.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsualExperiments = "factory-experiments";

// The example, if nothing is named, as a file.
std::string experiments_file(const std::string& named, const fs::path& folder) {
  if (!named.empty()) return named;
  const fs::path copy = folder / (std::string(kUsualExperiments) + ".yaml");
  write_durably(copy, example_named(kUsualExperiments).text);
  return copy.string();
}

// What a failed `collect` says with its exit code is so for `reproduce`, too.
ErrorCode code_of_failure(int exit_code) {
  for (const ErrorCode known : {ErrorCode::NotAllowed, ErrorCode::BadInput}) {
    if (exit_code == static_cast<int>(known)) return known;
  }
  return ErrorCode::RunFailed;
}

}  // namespace

fs::path known_traces(const std::string& named) {
  const fs::path path = named.empty() ? kUsualTraces : named.c_str();
  if (fs::is_directory(path)) return path / "traces.csv";
  if (!fs::exists(path) && named.empty())
    throw Error(ErrorCode::BadInput, fmt::format("there is no {} here", kUsualTraces),
                "run it in the root of the repository, name other traces with --traces FILE, or "
                "collect them with --full");
  return path;
}

std::optional<fs::path> collect_again(const CollectingAgain& how, const fs::path& folder,
                                      const std::stop_token& stop) {
  const fs::path traces = folder / "traces";
  ChildOrder order{
      .program = fs::read_symlink("/proc/self/exe"),
      .words = {"collect", experiments_file(how.experiments, folder), "--output", traces.string()},
      .answer = folder / "collect.txt"};
  const auto add = [&](const char* option, const std::string& value) {
    order.words.emplace_back(option);
    order.words.push_back(value);
  };
  if (!how.trainer.empty()) add("--trainer", how.trainer);
  if (how.experiments.empty() && fs::exists(kUsualTraces)) add("--times", kUsualTraces);
  if (how.workers > 0) add("--workers", std::to_string(how.workers));
  const int code = run_to_end(order, stop);
  if (stop.stop_requested() || code == static_cast<int>(ExitCode::Stopped)) return std::nullopt;
  if (code != 0)
    throw Error(code_of_failure(code), fmt::format("collecting failed with exit code {}", code),
                "what it said is above; 'espalier reproduce' without --full takes traces that are "
                "there");
  return traces / "traces.csv";
}

}  // namespace espalier
