// SPDX-License-Identifier: Apache-2.0
// The calls of espalier.proto by name.
#pragma once

namespace espalier {

inline constexpr const char* kEnrolMethod = "/espalier.v1.Orchestrator/Enrol";
inline constexpr const char* kHeartbeatMethod = "/espalier.v1.Orchestrator/Heartbeat";
inline constexpr const char* kPullMethod = "/espalier.v1.Orchestrator/Pull";
inline constexpr const char* kReportMethod = "/espalier.v1.Orchestrator/Report";

// Where there are no certificates: who the node says it is.
inline constexpr const char* kPlainNameKey = "espalier-node";

}  // namespace espalier
