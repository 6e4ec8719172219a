// SPDX-License-Identifier: Apache-2.0
// The calls that there are.
#pragma once

#include <memory>
#include <string>

#include "net/call.h"

namespace espalier {

// Nothing for a method that is unknown.
std::shared_ptr<Call> make_call(const std::string& method,
                                const std::shared_ptr<Reception>& reception, const Caller& caller);

}  // namespace espalier
