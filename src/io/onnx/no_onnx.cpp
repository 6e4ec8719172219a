// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/onnx/onnx_export.h"

namespace espalier {

std::string onnx_bytes(const Network& /*network*/) {
  throw Error(ErrorCode::BadInput, "this espalier was built without the ONNX library",
              "install libonnx-dev and build again, or export as safetensors");
}

}  // namespace espalier
