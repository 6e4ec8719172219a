// SPDX-License-Identifier: Apache-2.0
// A policy as a file, for those who want to follow or to look at it elsewhere.
#pragma once

#include <string>

#include "core/problem.h"
#include "policies/policy_table.h"

namespace espalier {

// One JSON document: knots and, for every luck, placement and loss, what to do from which time on.
std::string policy_document(const Problem& problem, const PolicyTable& table);

}  // namespace espalier
