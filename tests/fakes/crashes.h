// SPDX-License-Identifier: Apache-2.0
// Processes that are killed at a chosen moment of a run of fakes.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "fakes/run_of_fakes.h"
#include "orchestrator/run_files.h"

namespace espalier::fakes {

// One after the other, so that every result is a row of its own.
inline bool finish_one_by_one(RunOfFakes& run, int most = 5000) {
  for (int i = 0; i < most && !run.state().end; ++i) {
    for (auto& [name, node] : run.nodes) {
      if (run.state().end) break;
      node.act(run.desk(), run.objects());
      run.orchestrator().turn();
    }
    run.clock().pass({0.01});
  }
  return run.state().end.has_value();
}

struct CrashPoint {
  enum class When { BeforeRow, AfterRow, InCheckpoint };
  When when{};
  std::int64_t number = 0;
};

// Every moment at which an undisturbed run writes to its journal, and every checkpoint.
inline std::vector<CrashPoint> crash_points_of(RunOfFakes& run) {
  std::vector<CrashPoint> points;
  std::int64_t checkpoints = 0;
  run.journal().set_hook([&](const char* when, std::int64_t number) {
    const bool before = std::string(when) == "before";
    points.push_back({before ? CrashPoint::When::BeforeRow : CrashPoint::When::AfterRow, number});
  });
  run.orchestrator().checkpoints().set_hook([&] {
    points.push_back({CrashPoint::When::InCheckpoint, ++checkpoints});
  });
  run.begin();
  finish_one_by_one(run);
  return points;
}

inline void set_crash(RunOfFakes& run, const CrashPoint& point) {
  const auto die = [] { ::kill(::getpid(), SIGKILL); };
  run.journal().set_hook([=](const char* when, std::int64_t number) {
    const bool before = std::string(when) == "before";
    const auto wanted = before ? CrashPoint::When::BeforeRow : CrashPoint::When::AfterRow;
    if (point.when == wanted && point.number == number) die();
  });
  run.orchestrator().checkpoints().set_hook([=, count = std::int64_t{0}]() mutable {
    if (point.when == CrashPoint::When::InCheckpoint && point.number == ++count) die();
  });
}

// Does it in a process of its own. How that ended, as waitpid tells.
inline int in_a_process(const std::function<void()>& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    what();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// What two runs that went the same way have in common.
inline std::string outcome_of(const RunOfFakes& run) {
  return run.state().network.sha256 + "\n" + metrics_text(run.setup(), run.state());
}

}  // namespace espalier::fakes
