// SPDX-License-Identifier: Apache-2.0
// Links that somebody planted in the folder of a run: nothing is read or written through them.
#include <map>

#include "run_site.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class PlantedLink : public RunSite {
 protected:
  // All that is in a file, or in a folder.
  std::map<fs::path, std::string> contents_of(const fs::path& path) const {
    if (!fs::is_directory(path)) return {{path, folder.read(path)}};
    std::map<fs::path, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(path))
      contents[entry.path()] = entry.is_directory() ? "" : folder.read(entry.path());
    return contents;
  }
};

TEST_F(PlantedLink, InAFolderOfARunIsRefusedAndItsTargetStaysAsItIs) {
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:20"}), 128 + SIGKILL) << err();
  for (const char* name :
       {"run.json", "journal.db", "journal.db.head", "events.jsonl", "scenario.yaml", "lock",
        "metrics.csv", "models", "refused.log", "models/best.safetensors", "models/x",
        "agents/gold-1", "agents/x", "plans/0000.json", "plans/x", "objects"}) {
    const fs::path planted = folder / "here" / name;
    const fs::path target = folder / "elsewhere";
    const bool is_new = !fs::exists(planted);
    if (is_new)
      folder.write("elsewhere", "somebody else's");
    else
      fs::rename(planted, target);
    const auto before = contents_of(target);
    fs::create_symlink(target, planted);
    for (const char* command : {"status", "resume", "logs"}) {
      EXPECT_EQ(run({command, "here"}), 4) << name << out();
      EXPECT_TRUE(contains(err(), std::string("'here/") + name + "' is a link")) << err();
      EXPECT_TRUE(contains(err(), "→ ")) << err();
    }
    EXPECT_EQ(contents_of(target), before) << name;
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
