// SPDX-License-Identifier: Apache-2.0
#include "net/library_settings.h"

#include <mutex>

#include <absl/synchronization/mutex.h>
#include <openssl/ssl.h>

namespace espalier {
namespace {

void release_idle_buffers(void* connection, void* /*unused*/, CRYPTO_EX_DATA* /*unused*/,
                          int /*index*/, long /*unused*/, void* /*unused*/) {
  SSL_set_mode(static_cast<SSL*>(connection), SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace

void settle_network_libraries() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

// gRPC keeps its contexts to itself, but OpenSSL tells whoever registers of every new connection.
void release_idle_tls_buffers() {
  static std::once_flag once;
  std::call_once(once,
                 [] { SSL_get_ex_new_index(0, nullptr, release_idle_buffers, nullptr, nullptr); });
}

}  // namespace espalier
