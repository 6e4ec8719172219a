// SPDX-License-Identifier: Apache-2.0
// Whether a task makes sense, before anything is done for it.
#pragma once

#include <optional>
#include <string>

#include "wire/task.h"

namespace espalier {

// What is wrong with it, in words; nothing for a task that can be tried.
std::optional<std::string> fault_of(const Task& task, const std::string& run);

}  // namespace espalier
