// SPDX-License-Identifier: Apache-2.0
// Where data sets that were obtained once are kept.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace espalier {

// A variable of the environment, if it is set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

// $ESPALIER_DATA, or espalier/ in $XDG_DATA_HOME, or in $HOME/.local/share; a variable that is
// empty counts as not set. Throws Error{BadInput} where none of them helps.
std::filesystem::path data_folder_in(const Environment& environment);

// That of this process. Only programs call it: everything else is told its folder.
std::filesystem::path default_data_folder();

}  // namespace espalier
