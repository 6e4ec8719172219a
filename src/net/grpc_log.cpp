// SPDX-License-Identifier: Apache-2.0
#include "net/grpc_log.h"

#include <cstdlib>
#include <mutex>
#include <set>

#include <grpc/support/log.h>

#include "messages/checks.h"

namespace espalier {
namespace {

struct Listeners {
  std::mutex mutex;
  std::set<const GrpcLogListener*> all;
};

// As global as gRPC's log is.
Listeners& listeners() {
  static Listeners the_listeners;
  return the_listeners;
}

void hand_on(gpr_log_func_args* line) {
  if (line->severity != GPR_LOG_SEVERITY_ERROR) return;
  const std::lock_guard lock(listeners().mutex);
  for (const GrpcLogListener* one : listeners().all) one->hear(line->message);
}

}  // namespace

void take_over_grpc_log() {
  if (std::getenv("GRPC_VERBOSITY") != nullptr) return;
  static std::once_flag once;
  std::call_once(once, [] { gpr_set_log_function(hand_on); });
}

GrpcLogListener::GrpcLogListener(std::function<void(const std::string&)> notice)
    : notice_(std::move(notice)) {
  const std::lock_guard lock(listeners().mutex);
  listeners().all.insert(this);
}

GrpcLogListener::~GrpcLogListener() {
  const std::lock_guard lock(listeners().mutex);
  listeners().all.erase(this);
}

void GrpcLogListener::hear(const std::string& message) const {
  if (!notice_) return;
  const bool is_handshake = message.find("Handshake failed") != std::string::npos;
  const auto reason = message.rfind("::");
  if (is_handshake && reason != std::string::npos) {
    notice_("refused a connection: " + as_one_line(message.substr(reason + 2)));
  } else {
    notice_("network: " + as_one_line(message));
  }
}

}  // namespace espalier
