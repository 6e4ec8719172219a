// SPDX-License-Identifier: Apache-2.0
// How a fault of one layer is told.
#pragma once

#include <string>
#include <string_view>

#include "networks/architecture.h"

namespace espalier {

// Throws Error{BadInput}: "layer 'conv1': …". The name is shown safely, whatever it holds.
[[noreturn]] void fail_at(const Layer& layer, const std::string& what,
                          const std::string& hint = {});

// The text without control characters and bytes above 126, and not too long.
std::string shown_name(std::string_view name);

}  // namespace espalier
