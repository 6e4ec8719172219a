// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "http/study_request.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

TEST(FuzzedRequest, IsRefusedOrUnderstood) {
  const std::string sample =
      R"({"scenario":"espalier: 1\ngoal: {loss: 0.3, deadline: 9}\n","file":"a.yaml",)"
      R"("settings":{"goal.loss":"0.2"},"strategy":"pact","runs":10,"seed":2})";
  support::expect_sound(
      {{"request",
        {sample},
        [](std::string_view bytes) {
          read_scenario_of(parse_study_request(std::string(bytes), {"strategy", "runs", "seed"}));
          return std::string();
        }}},
      support::kAllBytes);
}

}  // namespace
}  // namespace espalier
