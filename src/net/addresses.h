// SPDX-License-Identifier: Apache-2.0
// Sockets and where they lead.
#pragma once

#include <string>
#include <vector>

#include "files/descriptor.h"

namespace espalier {

// None of these sockets blocks.

// On every address that HOST:PORT stands for, all with the same port. Throws Error{BadInput} where
// there is none to be had.
std::vector<Descriptor> listen_on(const std::string& address);
int port_of(const Descriptor& socket);

// Begins to connect to what `peer_of` or gRPC calls a peer: ipv4:127.0.0.1:4711. Throws
// Error{RunFailed}.
Descriptor connect_to(const std::string& peer);
// Who is at the other end; empty where nobody is.
std::string peer_of(int socket);

// Small messages go at once; little waits here to be sent that the network cannot take yet.
void set_up_stream(int socket);

}  // namespace espalier
