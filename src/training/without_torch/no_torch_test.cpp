// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

TEST(NoTorch, SaysThatThisBuildCannotTrain) {
  try {
    torch_learners({})(Network{});
    FAIL() << "a learner without libtorch";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(error.hint().find("ESPALIER_WITH_TORCH"), std::string::npos);
  }
}

}  // namespace
}  // namespace espalier
