// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.h"
#include "io/onnx/onnx_export.h"

namespace espalier {
namespace {

TEST(NoOnnx, SaysThatTheLibraryIsMissing) {
  try {
    onnx_bytes({});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::NotAllowed);
    EXPECT_STREQ(error.what(), "this espalier was built without the ONNX library");
  }
}

}  // namespace
}  // namespace espalier
