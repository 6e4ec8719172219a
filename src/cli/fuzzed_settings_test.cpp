// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/run_settings.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

TEST(FuzzedSettings, AreRefusedOrUnderstood) {
  RunSettings settings;
  settings.run = "run-1";
  settings.listen = "0.0.0.0:4430";
  support::expect_sound({{"settings of a run",
                          {settings_text(settings)},
                          [](std::string_view bytes) {
                            parse_settings(bytes, "run.json");
                            return std::string();
                          }}},
                        support::kAllBytes);
}

}  // namespace
}  // namespace espalier
