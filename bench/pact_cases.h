// SPDX-License-Identifier: Apache-2.0
// Random moments at which PACT has to decide.
#pragma once

#include <string>

#include "core/problem.h"
#include "literal_pact.h"

namespace espalier::bench {

struct PactCase {
  std::string name;
  Problem problem;
  State now;
  LiteralOptions grid;
};

// Small enough for the literal algorithm; every kind of rule, at the start of a run or some epochs
// into it. Always the same for the same number.
PactCase pact_case(int number);

}  // namespace espalier::bench
