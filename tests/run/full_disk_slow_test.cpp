// SPDX-License-Identifier: Apache-2.0
// A run on a disk that fills up: a small file system in memory. Needs root.
#include <sys/mount.h>

#include "run_site.h"

namespace espalier {
namespace {

class FullDiskOfARun : public RunSite {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(disk());
    is_mounted_ = ::mount("tmpfs", disk().c_str(), "tmpfs", 0, "size=16m") == 0;
    if (!is_mounted_) GTEST_SKIP() << "mounting needs root; not available here";
  }
  void TearDown() override {
    if (is_mounted_) ::umount2(disk().c_str(), MNT_DETACH);
  }
  std::filesystem::path disk() const { return folder / "disk"; }

  // Leaves so many bytes.
  void fill_but(std::uintmax_t bytes) const {
    const auto free = std::filesystem::space(disk()).available;
    ASSERT_GT(free, bytes);
    folder.write("disk/others", std::string(free - bytes, 'x'));
  }

 private:
  bool is_mounted_ = false;
};

TEST_F(FullDiskOfARun, EndsItWithAnErrorAndItGoesOnWhenThereIsRoomAgain) {
  ASSERT_EQ(run(run_words("undisturbed")), 0) << err();
  const std::string undisturbed = outcome("undisturbed");
  int resumed = 0;
  // So much that it ends in the first, in the middle, and when it keeps a network.
  for (const std::uintmax_t left : {40'000U, 150'000U, 300'000U, 420'000U}) {
    folder.remove("disk/run");
    folder.remove("disk/others");
    fill_but(left);
    EXPECT_EQ(run(run_words("disk/run")), 1) << left << out() << err();
    EXPECT_TRUE(contains(err(), "error: ")) << err();
    EXPECT_TRUE(contains(err(), "room on the disk") || contains(err(), "No space left"))
        << left << err();
    folder.remove("disk/others");
    if (!std::filesystem::exists(disk() / "run" / "journal.db")) continue;
    EXPECT_EQ(run({"resume", "disk/run"}), 0) << left << out() << err();
    EXPECT_EQ(outcome("disk/run"), undisturbed) << left;
    ++resumed;
  }
  EXPECT_GE(resumed, 2);
}

}  // namespace
}  // namespace espalier
