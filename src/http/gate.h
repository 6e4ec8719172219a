// SPDX-License-Identifier: Apache-2.0
// Who may ask at all. Pages of other sites may not, not even through a name that they point at this
// machine; and who is not on this machine needs a token.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http/exchange.h"

namespace espalier {

struct GateOptions {
  // Further names under which the server is asked for, such as that of a proxy.
  std::vector<std::string> names{};
  // Whether only this machine can connect.
  bool loopback_only = true;
  // Demanded from everybody if it is not empty. REQUIRES: not empty unless loopback_only.
  std::string token{};
};

// Immutable.
class Gate {
 public:
  explicit Gate(GateOptions options);

  // The answer to those who may not ask; nothing for the others.
  std::optional<HttpResponse> refuse(const HttpRequest& request) const;
  // A page that was opened with ?token=… is sent on to itself without it, with a cookie instead.
  std::optional<HttpResponse> let_in(const HttpRequest& request) const;

 private:
  bool is_known_host(const std::string& host) const;
  bool has_token(const HttpRequest& request) const;

  GateOptions options_;
};

// Headers of every answer: nothing is loaded from elsewhere, framed, guessed or kept.
const std::vector<HttpHeader>& protective_headers();

// 256 random bits in hexadecimal digits. Throws Error{RunFailed}.
std::string fresh_token();

// "127.0.0.1", "::1", "localhost".
bool is_loopback_host(const std::string& host);

}  // namespace espalier
