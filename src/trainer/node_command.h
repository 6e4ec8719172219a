// SPDX-License-Identifier: Apache-2.0
// The command `node`, as espalier-trainer carries it out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "certificates/credentials.h"
#include "cli/commands.h"
#include "datasets/registry.h"
#include "node/crew_address.h"
#include "node/worker.h"
#include "wire/link.h"

namespace espalier {

// Who to call, and what to prove one's name with.
struct NodeAddress {
  std::string orchestrator;  // HOST:PORT
  Credentials credentials;
};

using Learners = std::function<LearnerFactory(const LearnerOptions&)>;
using WithOthers = std::function<EnergyReading(const EnergyReading&)>;
using Say = std::function<void(std::string_view)>;

// Who trains for the agent: this process, or several as one.
struct Trainers {
  Learners learners;
  WithOthers with_others;  // see WorkerTools
};

// How processes inside one site train as one node; see node/torch/crew.h.
struct CrewTools {
  // Nothing where it is stopped before all have come.
  std::function<std::optional<Trainers>(const CrewAddress&, const Images&, const Say&,
                                        const std::stop_token&)>
      lead;
  std::function<void(const CrewAddress&, const Images&, const Say&, const std::stop_token&)> follow;
};

// What the command works with; chosen where the program starts.
struct NodeTools {
  OpenOptions data;
  Learners learners;
  CrewTools crew;
  NodeMeters meters;
  std::string meter;  // which one is the best, and why no other
  const Clock& clock;
  std::function<std::unique_ptr<Link>(const NodeAddress&)> link;
};

// `tools` must outlive the app.
void add_node_command(CLI::App& app, Invocation& call, const NodeTools& tools);

}  // namespace espalier
