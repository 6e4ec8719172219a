// SPDX-License-Identifier: Apache-2.0
// The calls of espalier.proto by name.
#pragma once

namespace espalier {

inline constexpr const char* kEnrolMethod = "/espalier.v1.Orchestrator/Enrol";
inline constexpr const char* kHeartbeatMethod = "/espalier.v1.Orchestrator/Heartbeat";
inline constexpr const char* kPullMethod = "/espalier.v1.Orchestrator/Pull";
inline constexpr const char* kGetObjectMethod = "/espalier.v1.Orchestrator/GetObject";
inline constexpr const char* kPutObjectMethod = "/espalier.v1.Orchestrator/PutObject";
inline constexpr const char* kReportMethod = "/espalier.v1.Orchestrator/Report";

// Where there are no certificates: who the node says it is.
inline constexpr const char* kPlainNameKey = "espalier-node";

// So much of an object goes into one message of an orchestrator: long ones, which cost less to
// handle, where the last one went quickly; short ones, which take little memory, where nothing is
// known or the link is slow.
inline constexpr unsigned kLongPieceBytes = 256 * 1024;
inline constexpr unsigned kShortPieceBytes = 16 * 1024;
// And of a node, which is told when it may send long ones. Each node that waits for its turn costs
// the orchestrator about as much memory.
inline constexpr unsigned kPieceBytes = 64 * 1024;
inline constexpr unsigned kLongPutBytes = 128 * 1024;
// A piece is one frame of HTTP/2, or part of one: each frame costs as much as some kilobytes do.
inline constexpr int kLongestFrame = 1 << 20U;

}  // namespace espalier
