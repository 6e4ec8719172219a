// SPDX-License-Identifier: Apache-2.0
// Our errors and gRPC's statuses.
#pragma once

#include <grpcpp/support/status.h>

#include "core/error.h"

namespace espalier {

// What a peer is told of an error here.
grpc::Status status_of(const Error& error);
// What a status from there means here: refused (NotAllowed), or not to be reached (RunFailed).
// REQUIRES: !status.ok().
Error error_of(const grpc::Status& status);

}  // namespace espalier
