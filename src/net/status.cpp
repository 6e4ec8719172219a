// SPDX-License-Identifier: Apache-2.0
#include "net/status.h"

#include "messages/checks.h"

namespace espalier {
namespace {

grpc::StatusCode status_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::NotAllowed:
      return grpc::StatusCode::PERMISSION_DENIED;
    case ErrorCode::BadInput:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::RunFailed:
      return grpc::StatusCode::UNAVAILABLE;
    case ErrorCode::Bug:
      break;
  }
  return grpc::StatusCode::INTERNAL;
}

bool is_refusal(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::UNAUTHENTICATED:
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::UNIMPLEMENTED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::NOT_FOUND:
    case grpc::StatusCode::OUT_OF_RANGE:
      return true;
    default:
      return false;
  }
}

// The two sides do not accept each other's certificates. gRPC says so in words alone.
bool is_failed_handshake(const std::string& message) {
  return message.find("handshake failed") != std::string::npos ||
         message.find("Peer name") != std::string::npos;
}

}  // namespace

grpc::Status status_of(const Error& error) {
  return {status_code_of(error.code()), as_one_line(error.what())};
}

Error error_of(const grpc::Status& status) {
  const std::string message = as_one_line(status.error_message());
  if (is_refusal(status.error_code()))
    return {ErrorCode::NotAllowed, "the orchestrator refuses: " + message};
  if (is_failed_handshake(message))
    return {ErrorCode::NotAllowed, "no secure connection to the orchestrator: " + message,
            "are the certificates of both sides from the same authority?"};
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return {ErrorCode::RunFailed, "the orchestrator did not answer in time"};
  return {ErrorCode::RunFailed, "no connection to the orchestrator: " + message};
}

}  // namespace espalier
