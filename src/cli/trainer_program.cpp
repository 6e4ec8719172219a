// SPDX-License-Identifier: Apache-2.0
#include "cli/trainer_program.h"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "core/error.h"
#include "io/wording.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code unknown;
  return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path, unknown);
}

}  // namespace

fs::path trainer_program(const std::string& named) {
  std::error_code unknown;
  const fs::path beside = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const fs::path program = named.empty() ? beside / "espalier-trainer" : fs::path(named);
  if (is_program(program)) return fs::absolute(program);
  if (named.empty()) {
    throw Error(ErrorCode::RunFailed,
                "this build cannot train: there is no espalier-trainer beside espalier",
                "scripts/setup train && scripts/build training: then build/training/espalier can");
  }
  throw Error(ErrorCode::BadInput, "'" + shown(named) + "' is no program",
              "--trainer names the program that trains; leave it out for the usual one");
}

fs::path orchestrator_program() {
  std::error_code unknown;
  const fs::path program =
      fs::read_symlink("/proc/self/exe", unknown).parent_path() / "espalier-orchestrator";
  if (is_program(program)) return program;
  throw Error(ErrorCode::RunFailed,
              "this build cannot run: there is no espalier-orchestrator beside espalier",
              "scripts/setup train && scripts/build release: then build/release/espalier can");
}

void become(const fs::path& program, const std::vector<std::string>& words) {
  const std::string path = program.string();
  std::vector<char*> arguments{const_cast<char*>(path.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(path.c_str(), arguments.data());
  throw Error(ErrorCode::RunFailed, "'" + path + "' cannot be started: " + std::strerror(errno));
}

}  // namespace espalier
