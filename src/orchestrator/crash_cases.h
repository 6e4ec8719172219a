// SPDX-License-Identifier: Apache-2.0
// What has to hold when a run is killed somewhere and resumed.
#pragma once

#include <gtest/gtest.h>

#include "fakes/crashes.h"
#include "support/temporary_folder.h"

namespace espalier {

// Kills a run at every `stride`-th moment and resumes it: the end is always that of the undisturbed
// run, and no epoch whose line was written is trained again. How many moments there were in all.
inline std::size_t kill_and_resume(std::size_t stride) {
  const TemporaryFolder folder(fakes::quick_folder());
  std::vector<fakes::CrashPoint> points;
  std::string undisturbed;
  {
    fakes::RunOfFakes run(folder / "undisturbed");
    points = fakes::crash_points_of(run);
    EXPECT_EQ(run.state().end, Ending::Reached);
    undisturbed = fakes::outcome_of(run);
  }
  for (std::size_t i = 0; i < points.size(); i += stride) {
    const auto where = folder / ("killed-" + std::to_string(i));
    const int status = fakes::in_a_process([&] {
      fakes::RunOfFakes run(where);
      fakes::set_crash(run, points[i]);
      run.begin();
      fakes::finish_one_by_one(run);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "point " << i;
    const auto acknowledged = fakes::RunOfFakes(where).state().epochs.size();
    fakes::RunOfFakes again(where);
    again.begin();
    EXPECT_GE(again.state().epochs.size(), acknowledged) << "point " << i;
    EXPECT_TRUE(fakes::finish_one_by_one(again)) << "point " << i;
    EXPECT_EQ(fakes::outcome_of(again), undisturbed) << "point " << i;
    folder.remove("killed-" + std::to_string(i));
  }
  return points.size();
}

}  // namespace espalier
