// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// For a process, before its first connection. From then on TLS connections that have nothing to say
// have no buffers either, 33 KB less for each of them; and the locks of gRPC do not watch out for
// deadlocks, as those of a library that was built for debugging do. Thread-safe.
void settle_network_libraries();

}  // namespace espalier
