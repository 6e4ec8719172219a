// SPDX-License-Identifier: Apache-2.0
// Where somebody listens: HOST:PORT.
#pragma once

#include <string>

namespace espalier {

// 0 stands for a port that is free.
enum class Port { IsNeeded, MayBeChosen };

// Throws Error{BadInput} where it is not HOST:PORT, or where its port is no number from 1, or 0, to
// 65535.
void check_address(const std::string& address, Port port);
// Whether its host is localhost, or a number that only this machine can mean: no other name is.
bool is_loopback(const std::string& address);

}  // namespace espalier
