// SPDX-License-Identifier: Apache-2.0
// Whoever only looks at a run leaves its folder as it is.
#include <map>
#include <sys/mount.h>

#include "run_site.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class Onlooking : public RunSite {
 protected:
  // But for SQLite's index of the log, which it makes anew from the log whenever it likes.
  std::map<std::string, std::string> content_of(const std::string& name) const {
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder / name)) {
      const fs::path file = fs::relative(entry.path(), folder.path());
      if (entry.is_regular_file() && file.filename() != "journal.db-shm")
        content[file.string()] = folder.read(file);
    }
    return content;
  }
  void expect_to_be_readable(const std::string& name) const {
    EXPECT_EQ(run({"status", name}), 0) << err();
    EXPECT_FALSE(contains(out(), "damaged")) << out();
    EXPECT_EQ(run({"logs", name}), 0) << err();
    EXPECT_GE(epochs_told(), 2U) << out();
    EXPECT_EQ(run({"export", name, "--csv", "epochs.csv"}), 0) << err();
    EXPECT_EQ(std::ranges::count(folder.read("epochs.csv"), '\n'), 1 + epochs_in(name));
  }
  long epochs_in(const std::string& name) const {
    EXPECT_EQ(run({"status", name, "--format", "json"}), 0) << err();
    return nlohmann::json::parse(out())["data"]["epochs"];
  }
};

TEST_F(Onlooking, ChangesNothingInTheFolderOfARunThatWasKilled) {
  ASSERT_EQ(run(run_words("here"), {"ESPALIER_CRASH_AT=after:30"}), 128 + SIGKILL) << err();
  const auto before = content_of("here");
  ASSERT_GT(before.at("here/journal.db-wal").size(), 10'000U);
  expect_to_be_readable("here");
  EXPECT_TRUE(content_of("here") == before);
  EXPECT_EQ(run({"resume", "here"}), 0) << out() << err();
}

TEST_F(Onlooking, ChangesNothingInTheFolderOfARunThatIsOver) {
  ASSERT_EQ(run(run_words("here")), 0) << err();
  const auto before = content_of("here");
  expect_to_be_readable("here");
  EXPECT_TRUE(content_of("here") == before);
  EXPECT_FALSE(fs::exists(folder / "here" / "journal.db-shm"));
}

// Of runs that were killed the log is needed, too; its index may not have been copied.
TEST_F(Onlooking, WorksOnMediaThatCannotBeWrittenTo) {
  ASSERT_EQ(run(run_words("killed"), {"ESPALIER_CRASH_AT=after:30"}), 128 + SIGKILL) << err();
  ASSERT_EQ(run(run_words("over")), 0) << err();
  fs::create_directories(folder / "disc");
  const std::string disc = (folder / "disc").string();
  if (::mount("tmpfs", disc.c_str(), "tmpfs", 0, "size=64m") != 0)
    GTEST_SKIP() << "mounting needs root; not available here";
  for (const char* name : {"killed", "over"})
    fs::copy(folder / name, folder / "disc" / name, fs::copy_options::recursive);
  fs::copy(folder / "killed", folder / "disc" / "without-index", fs::copy_options::recursive);
  fs::remove(folder / "disc" / "without-index" / "journal.db-shm");
  EXPECT_EQ(::mount("tmpfs", disc.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, ""), 0);
  for (const char* name : {"disc/killed", "disc/without-index", "disc/over"})
    expect_to_be_readable(name);
  ::umount2(disc.c_str(), MNT_DETACH);
}

}  // namespace
}  // namespace espalier
