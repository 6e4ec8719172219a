// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cli/run_settings.h"
#include "support/fuzzing/fuzzed_bytes.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

TEST(FuzzedSettings, AreRefusedOrUnderstood) {
  const TemporaryFolder folder;
  const RunDirectory directory(folder.path());
  RunSettings settings;
  settings.run = "run-1";
  settings.listen = "0.0.0.0:4430";
  support::expect_sound({{"settings of a run",
                          {settings_text(settings)},
                          [&](std::string_view bytes) {
                            folder.write(directory.settings().filename(), bytes);
                            load_settings(directory);
                            return std::string();
                          }}},
                        support::kAllBytes);
}

}  // namespace
}  // namespace espalier
