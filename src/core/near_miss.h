// SPDX-License-Identifier: Apache-2.0
// What a misspelt name was probably meant to be.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace espalier {

// The candidate that `word` was probably meant to be: one or two slips away, or different in case
// only.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

// "; did you mean 'gold'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace espalier
