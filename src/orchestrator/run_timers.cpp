// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/run_timers.h"

#include <algorithm>

#include "orchestrator/plan_margin.h"

namespace espalier {
namespace {

// Processes on a busy machine need long to start; those that cannot are known by other ways.
constexpr double kStartFactor = 10;
// Where plans say nothing of how long a round takes: so many times as long again as half of it,
// stragglers are waited for.
constexpr double kStragglerFactor = 3;
// And so many times as long as usual beyond that at most, however much time a plan has.
constexpr double kMostSlack = 4;
// The least that they get by a plan, as a share of the patience.
constexpr double kLeastWait = 0.1;
// Rounds of which not even half comes in hang when they take so many times as long as such rounds
// did, or were planned to; by a plan that leaves little time, already after fewer.
constexpr double kHangFactor = 20;
constexpr double kLeastHangFactor = 3;
constexpr double kHangPatience = 10;
// And where nothing is known of how long they take.
constexpr double kBlindPatience = 120;

Seconds seen_of(const RunState& state, const RoundSort& sort) {
  const auto found = state.usual.find(sort);
  return found == state.usual.end() ? Seconds{} : found->second;
}

// A first look where there was no other.
Seconds look_of(const RunState& state, NodeSetId nodes) {
  const Seconds seen = seen_of(state, {RoundKind::Look, nodes});
  return seen.value > 0 ? seen : seen_of(state, {RoundKind::FirstLook, nodes});
}

// Whether members that are not done are yet to find this orchestrator, which was away.
bool is_missed(const RunState& state) {
  return std::ranges::any_of(state.round.members, [&](const auto& member) {
    return !member.second && state.nodes.at(member.first).presence == Presence::Expected;
  });
}

// Those who were not waited for the last time get no slack again.
bool waits_for_the_punctual(const RunState& state) {
  return std::ranges::any_of(state.round.members, [&](const auto& member) {
    return !member.second && !state.nodes.at(member.first).is_late;
  });
}

Seconds straggler_limit(const RunSetup& setup, const RunState& state,
                        const std::optional<PlanMargin>& margin) {
  const Round& round = state.round;
  const Seconds half = *round.half_in - round.began;
  const Seconds patience = setup.patience.wait;
  if (!margin || round.kind != RoundKind::Train)
    return *round.half_in + std::max(half * kStragglerFactor, patience);
  const Seconds usual = std::max({half, margin->round, seen_of(state, round.sort())});
  const Seconds share = std::min(usual * std::min(margin->stretch, kMostSlack), margin->slack);
  const Seconds slack = waits_for_the_punctual(state) ? share : Seconds{};
  return std::max(round.began + usual + slack, *round.half_in + patience * kLeastWait);
}

Seconds hang_limit(const RunSetup& setup, const RunState& state,
                   const std::optional<PlanMargin>& margin) {
  const Round& round = state.round;
  const Seconds patience = setup.patience.wait;
  const Seconds seen = seen_of(state, round.sort());
  const Seconds first = round.first_in.value_or(round.began) - round.began;
  const Seconds known = std::max({seen, first, margin ? margin->round : Seconds{}});
  if (known.value == 0) return round.began + patience * kBlindPatience;
  // How long an epoch takes may be planned wrongly; how long one took there is known.
  if (!margin || seen.value == 0)
    return round.began + std::max(known * kHangFactor, patience * kHangPatience);
  const double factor = std::clamp(margin->stretch + 1, kLeastHangFactor, kHangFactor);
  // What only took longer this time gets done the next.
  const double longer = 1 << state.epoch.attempt;
  return round.began + std::max(known * factor, patience) * longer;
}

std::optional<Seconds> deadline_of(const RunSetup& setup, const RunState& state) {
  if (setup.accounting == Accounting::Modelled || !state.outlay.since) return std::nullopt;
  return *state.outlay.since + (setup.problem.goal().time_bound() - state.now().time);
}

// When whoever is in has to be enough for the epoch to end in time.
std::optional<Seconds> last_moment(const RunSetup& setup, const RunState& state) {
  const auto deadline = deadline_of(setup, state);
  if (!deadline) return std::nullopt;
  const bool is_looked_at_next = state.round.kind == RoundKind::Train;
  const Seconds after = is_looked_at_next ? look_of(state, state.round.nodes) : Seconds{};
  return *deadline - after - setup.patience.wait * kLeastWait;
}

// So often the time that went by is written down where nothing else happens: what was not is
// forgotten by whoever resumes a run that was killed.
constexpr Seconds kTick{60};

}  // namespace

bool is_on_the_clock(const RunSetup& setup, const RunState& state) {
  return setup.accounting == Accounting::Measured && state.outlay.since && !state.end;
}

std::optional<Seconds> expecting_until(const RunSetup& setup, const RunState& state) {
  const bool is_elsewhere = setup.accounting == Accounting::Measured;
  // Before a fresh network is there, nodes on other machines may take their time.
  if (is_elsewhere && state.network.sha256.empty()) return std::nullopt;
  const double factor = is_elsewhere || state.has_anybody_come ? 1 : kStartFactor;
  return state.expecting_since + setup.patience.wait * factor;
}

std::optional<Seconds> cut_off(const RunSetup& setup, const RunState& state) {
  if (state.activity != Activity::Working || is_missed(state)) return std::nullopt;
  const Round& round = state.round;
  const auto margin = margin_of(setup, state, round.kind, round.began);
  if (!round.half_in) return hang_limit(setup, state, margin);
  const Seconds limit = straggler_limit(setup, state, margin);
  const auto last = last_moment(setup, state);
  return last ? std::max(*round.half_in, std::min(limit, *last)) : limit;
}

std::optional<Seconds> deadline_of_waiting(const RunSetup& setup, const RunState& state) {
  // What is trained and only waits to be looked at still becomes an epoch.
  const bool waits = state.activity == Activity::Waiting ||
                     (state.activity == Activity::Gathering && state.next != RoundKind::Look);
  return waits ? deadline_of(setup, state) : std::nullopt;
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
  if (is_on_the_clock(setup, state)) add(state.at + kTick);
  return next;
}

}  // namespace espalier
