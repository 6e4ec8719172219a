// SPDX-License-Identifier: Apache-2.0
// How a node calls its orchestrator.
#pragma once

#include <memory>

#include "trainer/node_command.h"
#include "wire/link.h"

namespace espalier {

// Over gRPC with mutual TLS. Throws Error{RunFailed} in a build without gRPC.
std::unique_ptr<Link> node_link(const NodeAddress& address);

}  // namespace espalier
