// SPDX-License-Identifier: Apache-2.0
// The small change of messages: foreign text made safe to print, lists of names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace espalier {

// A foreign text made fit for a message: control characters become '?', and a long text is cut.
std::string shown(std::string_view text);

// "L, M, S"; a long list is cut and says how many more there are.
std::string listed(std::span<const std::string> names);

}  // namespace espalier
