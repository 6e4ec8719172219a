// SPDX-License-Identifier: Apache-2.0
#include "trainer/node_link.h"

#include "core/error.h"

namespace espalier {

std::unique_ptr<Link> node_link(const NodeAddress&) {
  throw Error(ErrorCode::RunFailed, "this build cannot call an orchestrator",
              "install libgrpc++-dev and build with -DESPALIER_WITH_GRPC=ON, as the preset release "
              "does");
}

}  // namespace espalier
