// SPDX-License-Identifier: Apache-2.0
// The command `node`, as espalier-trainer carries it out.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "certificates/credentials.h"
#include "cli/commands.h"
#include "datasets/registry.h"
#include "node/worker.h"
#include "wire/link.h"

namespace espalier {

// Who to call, and what to prove one's name with.
struct NodeAddress {
  std::string orchestrator;  // HOST:PORT
  Credentials credentials;
};

// What the command works with; chosen where the program starts.
struct NodeTools {
  OpenOptions data;
  std::function<LearnerFactory(const LearnerOptions&)> learners;
  NodeMeters meters;
  std::string meter;  // which one is the best, and why no other
  const Clock& clock;
  std::function<std::unique_ptr<Link>(const NodeAddress&)> link;
};

// `tools` must outlive the app.
void add_node_command(CLI::App& app, Invocation& call, const NodeTools& tools);

}  // namespace espalier
