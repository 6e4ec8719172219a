// SPDX-License-Identifier: Apache-2.0
// How refusals of data are worded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace espalier {

// Throws Error{BadInput} with "FILE: what"; control characters, which a foreign name may hold,
// become '?'.
[[noreturn]] void refuse(std::string_view file, std::string_view what, std::string hint = {});

// "45,000"
std::string counted(std::size_t count);

// "1 class", "2 classes"
std::string counted(std::size_t count, std::string_view one, std::string_view many);

}  // namespace espalier
