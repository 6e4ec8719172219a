// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_timers.h"

#include <algorithm>

#include "orchestrator/plan_margin.h"

namespace espalier {
namespace {

// Processes on a busy machine need long to start; those that cannot are known by other ways.
constexpr double kStartFactor = 10;
// Where plans say nothing of the clock: so many times as long as half of the round took, stragglers
// are waited for.
constexpr double kStragglerFactor = 3;
// And so many times as long as usual a round takes at most, however much time a plan has.
constexpr double kLongestRound = 5;
// The least that they get by a plan, as a share of the patience.
constexpr double kLeastWait = 0.1;
// Rounds of which not even half comes in hang when they take so many times as long as such rounds
// did, or were planned to; by a plan that leaves little time, already after fewer.
constexpr double kHangFactor = 20;
constexpr double kLeastHangFactor = 3;
constexpr double kHangPatience = 10;

// Those who were not waited for the last time get no slack again.
bool waits_for_the_punctual(const RunState& state) {
  return std::ranges::any_of(state.round.members, [&](const auto& member) {
    return !member.second && !state.nodes.at(member.first).is_late;
  });
}

// The round may take its part of all the time that there is. Beyond, as long as another epoch would
// take, in which the others could take part.
Seconds straggler_limit(const RunSetup& setup, const RunState& state, const PlanMargin& margin) {
  const Round& round = state.round;
  const Seconds usual = std::max(*round.half_in - round.began, margin.round);
  const double stretch = waits_for_the_punctual(state) ? margin.stretch : 1;
  return std::max(round.began + usual * std::min(stretch + 1, kLongestRound),
                  *round.half_in + setup.patience.wait * kLeastWait);
}

std::optional<Seconds> hang_limit(const RunSetup& setup, const RunState& state,
                                  const std::optional<PlanMargin>& margin) {
  const Round& round = state.round;
  const Seconds seen = state.longest[static_cast<std::size_t>(round.kind)];
  const Seconds known = std::max(seen, margin ? margin->round : Seconds{});
  if (known.value == 0) return std::nullopt;
  // How long an epoch takes may be planned wrongly; how long one took is known.
  if (!margin || seen.value == 0)
    return round.began + std::max(known * kHangFactor, setup.patience.wait * kHangPatience);
  const double factor = std::clamp(margin->stretch + 1, kLeastHangFactor, kHangFactor);
  return round.began + std::max(known * factor, setup.patience.wait);
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
  const auto margin = margin_of(setup, state, round.kind);
  if (!round.half_in) return hang_limit(setup, state, margin);
  if (margin) return straggler_limit(setup, state, *margin);
  const Seconds half = *round.half_in - round.began;
  return *round.half_in + std::max(half * kStragglerFactor, setup.patience.wait);
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
