// SPDX-License-Identifier: Apache-2.0
// Whether an architecture is sound, and whether tensors are its own.
#pragma once

#include <string_view>

#include "networks/architecture.h"
#include "networks/tensors.h"

namespace espalier {

// [A-Za-z0-9._-]{1,64}: safe in file names, messages and parameter names.
bool is_safe_name(std::string_view name);

// Throws Error{BadInput}, with the layer's name, unless: names are safe and unique; the inputs of
// each layer come before it and have shapes that it can take; every layer but the last feeds
// another; the last is a Linear; nothing exceeds architecture_limits.h. All other functions of this
// folder require it.
void validate(const Architecture& architecture);

// Also: the weights are exactly the parameters of the architecture, with their shapes, and there is
// momentum for trained parameters only. Whether the values are finite isn't asked.
void validate(const Network& network);

}  // namespace espalier
