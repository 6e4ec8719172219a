// SPDX-License-Identifier: Apache-2.0
// Threads that sleep while they wait.
#pragma once

namespace espalier {

// libtorch's threads spin while they wait for one another: where programs share the cores, training
// becomes tens of times slower. How they wait is read from the environment before main() starts, so
// that this starts the program anew, with OMP_WAIT_POLICY=passive, unless the variable is set.
// Call it first in the main() of a program that trains with several threads. Where it cannot help,
// it does nothing.
void wait_passively(char** argv);

}  // namespace espalier
