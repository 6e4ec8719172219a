// SPDX-License-Identifier: Apache-2.0
// Where libtorch is called.
#pragma once

#include <string>

#include "core/error.h"
#include "training/torch/aten.h"

namespace espalier {

// What `work` gives; an exception of libtorch becomes one of ours.
template <class Work>
auto guarded(const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    throw Error(ErrorCode::RunFailed, std::string("libtorch: ") + error.what_without_backtrace());
  }
}

}  // namespace espalier
