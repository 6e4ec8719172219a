// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "core/error.h"
#include "estimation/torch/fit_estimators.h"

namespace espalier {
namespace {

TEST(NoFitting, SaysThatThisBuildCannotFit) {
  try {
    fit_run_estimator({}, {}, {});
    FAIL() << "fitted without libtorch";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(error.hint().find("ESPALIER_WITH_TORCH"), std::string::npos);
  }
  EXPECT_THROW(fit_change_estimator({}, {}, {}), Error);
}

}  // namespace
}  // namespace espalier
