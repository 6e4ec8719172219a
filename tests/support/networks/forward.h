// SPDX-License-Identifier: Apache-2.0
// The forward pass in plain loops: slow, obvious, the reference that faster ones must match.
#pragma once

#include <vector>

#include "networks/tensors.h"

namespace espalier::support {

// The logits for one image, [channel][row][column], with the statistics of the batch norms (as
// torch in evaluation mode). Sums in double precision. REQUIRES: a valid network.
std::vector<float> forward(const Network& network, const std::vector<float>& image);

}  // namespace espalier::support
