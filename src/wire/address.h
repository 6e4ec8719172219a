// SPDX-License-Identifier: Apache-2.0
// Where somebody listens: HOST:PORT.
#pragma once

#include <cstdint>
#include <string>

namespace espalier {

// 0 stands for a port that is free.
enum class Port { IsNeeded, MayBeChosen };

// Throws Error{BadInput} where it is not HOST:PORT, or where its port is no number from 1, or 0, to
// 65535.
void check_address(const std::string& address, Port port);

struct HostAndPort {
  std::string host;  // without the brackets of a number such as [::1]
  std::uint16_t port = 0;
};
// REQUIRES: check_address has nothing against it.
HostAndPort parts_of(const std::string& address);

// Whether its host, a name or a number however it is spelled, leads to this machine and to no
// other. Asks the system about names, which may take a while.
bool is_loopback(const std::string& address);

// Whether its host stands for all addresses that a machine has, as 0.0.0.0 and :: do. Whoever calls
// it reaches itself.
bool is_unspecified(const std::string& address);

}  // namespace espalier
