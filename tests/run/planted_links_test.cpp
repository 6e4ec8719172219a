// SPDX-License-Identifier: Apache-2.0
// Links that somebody planted in the folder of a run: nothing is read or written through them.
#include "run_site.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

using PlantedLink = RunSite;

TEST_F(PlantedLink, InAFolderOfARunIsRefusedAndItsTargetStaysAsItIs) {
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:20"}), 128 + SIGKILL) << err();
  for (const char* name : {"run.json", "journal.db", "journal.db.head", "events.jsonl",
                           "scenario.yaml", "lock", "metrics.csv", "models", "refused.log"}) {
    const fs::path planted = folder / "here" / name;
    const fs::path target = folder / "elsewhere";
    const bool is_new = !fs::exists(planted);
    if (is_new)
      folder.write("elsewhere", "somebody else's");
    else
      fs::rename(planted, target);
    const std::string before = folder.read("elsewhere");
    fs::create_symlink(target, planted);
    for (const char* command : {"status", "resume", "logs"}) {
      EXPECT_EQ(run({command, "here"}), 4) << name << out();
      EXPECT_TRUE(contains(err(), std::string("'here/") + name + "' is a link")) << err();
      EXPECT_TRUE(contains(err(), "→ ")) << err();
    }
    EXPECT_EQ(folder.read("elsewhere"), before) << name;
    fs::remove(planted);
    if (is_new)
      fs::remove(target);
    else
      fs::rename(target, planted);
  }
  EXPECT_EQ(run({"resume", "here"}), 0) << out() << err();
}

TEST_F(PlantedLink, ThatLeadsToTheWholeFolderIsNobodysBusiness) {
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:20"}), 128 + SIGKILL) << err();
  fs::create_directory_symlink(folder / "here", folder / "latest");
  EXPECT_EQ(run({"status", "latest"}), 0) << err();
  EXPECT_EQ(run({"resume", "latest"}), 0) << out() << err();
}

}  // namespace
}  // namespace espalier
