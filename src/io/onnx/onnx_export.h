// SPDX-License-Identifier: Apache-2.0
// Networks for other programs, as ONNX (operator set 9), ready for inference: dropout is left out,
// batch norms use their statistics.
#pragma once

#include <string>

#include "networks/tensors.h"

namespace espalier {

// Takes "image", [N, channels, height, width], and gives "logits", [N, classes]. The same network
// gives the same bytes. Throws Error{BadInput} where the network isn't valid, and
// Error{NotAllowed} where the program was built without the ONNX library.
std::string onnx_bytes(const Network& network);

}  // namespace espalier
