// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "wire/address.h"

namespace espalier {

// The number of the address of this machine's from which it reaches that place, whether anybody is
// there or not. Throws Error{RunFailed} where there is no way.
std::string own_address_towards(const HostAndPort& place);

}  // namespace espalier
