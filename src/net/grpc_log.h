// SPDX-License-Identifier: Apache-2.0
// What gRPC writes to standard error by itself, such as who failed to connect: handed on to whoever
// serves, or dropped; every call tells its own failure anyway. With GRPC_VERBOSITY in the
// environment gRPC's lines stay as they are.
#pragma once

#include <functional>
#include <string>

namespace espalier {

// From construction to destruction. gRPC has one log for the whole process: so there may be several
// of these, and each hears everything.
class GrpcLogListener {
 public:
  explicit GrpcLogListener(std::function<void(const std::string&)> notice);
  GrpcLogListener(const GrpcLogListener&) = delete;
  GrpcLogListener& operator=(const GrpcLogListener&) = delete;
  ~GrpcLogListener();

  // `message` as gRPC words it.
  void hear(const std::string& message) const;

 private:
  const std::function<void(const std::string&)> notice_;
};

// Before the first use of gRPC in a process.
void take_over_grpc_log();

}  // namespace espalier
