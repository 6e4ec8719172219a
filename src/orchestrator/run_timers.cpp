// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_timers.h"

#include <algorithm>

namespace espalier {
namespace {

// Nodes that need longer than so many times what half of the others, or the plan, took are not
// waited for.
constexpr double kStragglerFactor = 3;
// Processes on a busy machine need long to start; those that cannot are known by other ways.
constexpr double kStartFactor = 10;
// Nodes that all need so many times what such rounds took, or were planned to take, hang.
constexpr double kHangFactor = 20;
constexpr double kHangPatience = 10;

// Of the round, where the plan tells; otherwise nothing.
Seconds planned_time(const RunSetup& setup, const RunState& state) {
  const bool is_planned = setup.accounting == Accounting::Measured &&
                          state.round.kind == RoundKind::Train && state.plan && state.plan->next;
  return is_planned ? setup.problem.training(state.plan->next->placement).time : Seconds{};
}

}  // namespace

std::optional<Seconds> expecting_until(const RunSetup& setup, const RunState& state) {
  const bool is_elsewhere = setup.accounting == Accounting::Measured;
  // Before a fresh network is there, nodes on other machines may take their time.
  if (is_elsewhere && state.network.sha256.empty()) return std::nullopt;
  const double factor = is_elsewhere || state.has_anybody_come ? 1 : kStartFactor;
  return state.expecting_since + setup.patience.wait * factor;
}

std::optional<Seconds> cut_off(const RunSetup& setup, const RunState& state) {
  if (state.activity != Activity::Working) return std::nullopt;
  const Round& round = state.round;
  const Seconds planned = planned_time(setup, state);
  if (round.half_in) {
    const Seconds usual = std::max(*round.half_in - round.began, planned);
    return *round.half_in + std::max(usual * kStragglerFactor, setup.patience.wait);
  }
  const Seconds known = std::max(state.longest[static_cast<std::size_t>(round.kind)], planned);
  if (known.value == 0) return std::nullopt;
  return round.began + std::max(known * kHangFactor, setup.patience.wait * kHangPatience);
}

std::optional<Seconds> deadline_of_waiting(const RunSetup& setup, const RunState& state) {
  if (setup.accounting == Accounting::Modelled || !state.outlay.since) return std::nullopt;
  // What is trained and only waits to be looked at still becomes an epoch.
  const bool waits = state.activity == Activity::Waiting ||
                     (state.activity == Activity::Gathering && state.next != RoundKind::Look);
  if (!waits) return std::nullopt;
  return *state.outlay.since + (setup.problem.goal().time_bound() - state.now().time);
}

std::optional<Seconds> next_timer(const RunSetup& setup, const RunState& state) {
  if (state.end) return std::nullopt;
  std::optional<Seconds> next;
  const auto add = [&](Seconds at) { next = next ? std::min(*next, at) : at; };
  const bool expects = std::ranges::any_of(
      state.nodes, [](const auto& node) { return node.second.presence == Presence::Expected; });
  const auto until = expecting_until(setup, state);
  if (expects && until) add(*until);
  if (state.activity == Activity::Gathering && state.gather_until.value > 0)
    add(state.gather_until);
  if (const auto end = cut_off(setup, state)) add(*end);
  if (const auto end = deadline_of_waiting(setup, state)) add(*end);
  if (state.activity == Activity::Waiting && state.waiting_since)
    add(*state.waiting_since + setup.patience.give_up);
  return next;
}

}  // namespace espalier
