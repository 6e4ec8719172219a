// SPDX-License-Identifier: Apache-2.0
#include "trainer/node_link.h"

#include "net/grpc_link.h"

namespace espalier {

std::unique_ptr<Link> node_link(const NodeAddress& address) {
  LinkOptions options;
  options.address = address.orchestrator;
  options.credentials = address.credentials;
  return std::make_unique<GrpcLink>(std::move(options));
}

}  // namespace espalier
