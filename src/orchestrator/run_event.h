// SPDX-License-Identifier: Apache-2.0
// What happens in a run. The journal keeps these and nothing else: a run is what they lead to.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/plan.h"
#include "networks/architecture.h"
#include "wire/link.h"

namespace espalier {

struct NodeCame {
  NodeName node;
  NodeSetId nodes{};
  Hello hello;
};
// Not heard of for a while; heard of again; not heard of for too long.
struct NodeSilent {
  NodeName node;
};
struct NodeHeard {
  NodeName node;
};
struct NodeGone {
  NodeName node;
};

// A fresh network lies in the object store.
struct NetworkMade {
  ObjectRef network;
};

struct ResultCame {
  NodeName node;
  TaskResult result;
  std::string fault;  // why it does not count; empty: it does
};

// What a round makes of its results lies in the object store.
struct RoundCombined {
  ObjectRef network;
};

// A run of epochs that is planned. Time and energy are those since the beginning of the run.
struct PlannedStage {
  PlacementId placement{};
  int epochs = 0;
  Loss loss{};
  Seconds time{};
  Joules energy{};
};

// What a run has spent by some moment.
struct Spent {
  Seconds time{};
  Joules energy{};
};

// A plan in short.
struct PlanDecided {
  Verdict verdict = Verdict::Infeasible;
  Estimator estimator = Estimator::Expected;
  std::optional<Step> next{};  // nothing: there is no plan
  std::vector<PlannedStage> stages{};
  std::optional<Chance> chance{};
  std::vector<std::string> notes{};
  std::vector<NodeSetId> without{};  // node sets that were not to be had
  std::optional<Spent> spent{};      // when it was asked for; nothing: that of the last epoch
};

// The first event of a run, and the first of each process that carries it on.
struct RunBegan {
  std::optional<PlanDecided> agreed{};  // to what whoever began it was shown
};
struct RunResumed {};

// Something was due.
struct TimePassed {};

struct StopAsked {
  std::string why;
};

// The network after the last epochs is gone: they have to be trained again.
struct WentBack {
  int epochs = 0;  // that are left
  std::string why;
};

// What a node was at.
struct WorkDone {
  TaskId task{};
  NodeName node{};
};

// Results that nobody waited for, since the last event of this kind. All that follows is that they
// are counted.
struct ResultsDropped {
  int duplicate = 0;
  int late = 0;
  int unselected = 0;
  EnergyReading energy{};  // of work that was done all the same
  std::vector<WorkDone> paid{};
};

using RunHappening = std::variant<RunBegan, RunResumed, NodeCame, NodeSilent, NodeHeard, NodeGone,
                                  NetworkMade, ResultCame, RoundCombined, PlanDecided, TimePassed,
                                  StopAsked, WentBack, ResultsDropped>;

struct RunEvent {
  Seconds at{};  // since the run began, while some process carried it on
  RunHappening what;
};

PlanDecided decided(const PlanResult& result, std::vector<NodeSetId> without, Spent spent);

}  // namespace espalier
