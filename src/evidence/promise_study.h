// SPDX-License-Identifier: Apache-2.0
// DepL's results: what is promised, what comes of it, and what it costs.
//
// A few seeds cannot tell 95 % from 99 %. So the world is one of rules and luck, as the traces have
// them: the mean curve of each placement, and the spread of the seeds around it. Everybody is told
// the rules; what is promised is judged on thousands of runs that nobody has seen.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/chance.h"
#include "core/problem.h"
#include "core/scenario.h"
#include "core/trace.h"

namespace espalier {

struct PromiseRow {
  std::string strategy{};
  double asked = 0;
  bool promised = false;  // the rest is empty otherwise
  double achieved = 0;
  Interval interval{0, 1};  // of 95 %
  double energy = 0;        // mean over all runs
  // Energy above that of the clairvoyant on the same runs, where both reach the goal; a share.
  double excess = 0;
};

struct PromiseStudy {
  Goal goal{};
  std::vector<PromiseRow> rows{};  // by probability, then by strategy
  std::size_t runs = 0;
  double clairvoyant_energy = 0;  // mean, where even that reaches the goal
  double clairvoyant_share = 0;   // of the runs
};

struct PromiseOptions {
  std::size_t runs = 5'000;
  std::size_t clairvoyant_runs = 200;
  unsigned workers = 0;
};

// Jumps as `rows` have them, where they have any.
Scenario with_traced_jumps(Scenario scenario, const std::vector<TraceRow>& rows);

// Expectation with a margin aims lower, and no loss is below nothing: at a low target it has not
// enough room to promise much, however late the deadline is. The lowest target at which it can
// promise the highest probability that is asked, in steps of 0.05 from the scenario's own; nothing
// if it never can. Who is cheaper there plays no part.
std::optional<Loss> target_with_room(Scenario scenario, const std::stop_token& stop);

// `scenario` has noise; its goal's loss counts, the deadline follows from the plan that is blind to
// luck: three quarters more than that takes. `done` is called after each row.
PromiseStudy study_promises(const Scenario& scenario, const PromiseOptions& options,
                            const std::stop_token& stop, const std::function<void()>& done);
std::size_t promise_row_count();

}  // namespace espalier
