// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// For a process, before its first connection. From then on the locks of gRPC do not watch out for
// deadlocks, as those of a library that was built for debugging do. Thread-safe.
void settle_network_libraries();

// For one that has many of them: TLS connections that have nothing to say have no buffers either,
// 33 KB less for each of them. Those that do have new ones for every record. Thread-safe.
void release_idle_tls_buffers();

}  // namespace espalier
