// SPDX-License-Identifier: Apache-2.0
// Architectures as JSON: what model files carry and peers exchange.
//
//   {"name": "tiny", "input": [3, 32, 32], "layers": [
//     {"name": "conv1", "kind": "convolution", "inputs": [-1],
//      "depthwise": false, "out": 64, "kernel": 3, "stride": 1, "padding": 1, "bias": false}, …]}
//
// `inputs` are positions in the list; -1 is the image.
#pragma once

#include <string>
#include <string_view>

#include "networks/architecture.h"

namespace espalier {

// On one line. Reading it again gives an equal architecture.
std::string to_json(const Architecture& architecture);

// Always valid (networks/validation.h). Throws Error{BadInput}, beginning with `source`, unless
// each layer has exactly the keys of its kind.
Architecture architecture_from_json(std::string_view text, const std::string& source);

}  // namespace espalier
