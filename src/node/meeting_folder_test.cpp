// SPDX-License-Identifier: Apache-2.0
#include "node/meeting_folder.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

class MeetingFolders : public testing::Test {
 protected:
  static constexpr milliseconds kShort{50};
  std::size_t left_behind() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "group";
};

TEST_F(MeetingFolders, ShareTextsBetweenThoseWhoMeet) {
  MeetingFolder leader(path_, 0, kShort);
  MeetingFolder follower(path_, 1, kShort);
  EXPECT_FALSE(follower.look("order/1"));
  leader.put("order/1", std::string("go\0on", 5));
  EXPECT_EQ(follower.look("order/1"), std::string("go\0on", 5));
  leader.put("order/1", "");
  EXPECT_EQ(follower.look("order/1"), "");
  follower.clear("order/1");
  EXPECT_FALSE(leader.look("order/1"));
  follower.clear("order/1");
}

TEST_F(MeetingFolders, CutNoText) {
  MeetingFolder leader(path_, 0, kShort);
  for (const std::size_t size : {65'535U, 65'536U, 65'537U, 3U << 20U}) {
    leader.put("order/1", std::string(size, 'x'));
    EXPECT_EQ(leader.look("order/1").value_or("").size(), size);
  }
}

TEST_F(MeetingFolders, AreNotWaitedForByWhoIsAskedToStop) {
  std::stop_source stop;
  stop.request_stop();
  const auto asked = std::chrono::steady_clock::now();
  EXPECT_THROW(MeetingFolder(path_, 1, std::chrono::seconds(60), stop.get_token()), Error);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(30));
}

TEST_F(MeetingFolders, AreForOneUserAlone) {
  const MeetingFolder leader(path_, 0, kShort);
  struct stat about {};
  ASSERT_EQ(::stat(path_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0700U);
}

TEST_F(MeetingFolders, AreGoneInTheEnd) {
  std::optional<MeetingFolder> leader;
  leader.emplace(path_, 0, kShort);
  MeetingFolder follower(path_, 1, kShort);
  leader->put("order/1", "go");
  leader.reset();
  EXPECT_EQ(left_behind(), 0U);
  EXPECT_THROW(follower.look("order/1"), Error) << "the leader is gone";
  EXPECT_THROW(follower.put("answer", "here"), Error);
}

TEST_F(MeetingFolders, ForgetWhatALeaderLeftThatWasKilled) {
  std::filesystem::create_directory(path_);
  std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  folder_.write("group/lock", "");
  folder_.write("group/something", "stale");
  EXPECT_THROW(MeetingFolder(path_, 1, kShort), Error) << "nobody leads it";
  {
    const MeetingFolder leader(path_, 0, kShort);
    EXPECT_FALSE(std::filesystem::exists(path_ / "something"));
    EXPECT_NO_THROW(MeetingFolder(path_, 1, kShort));
  }
  EXPECT_EQ(left_behind(), 0U);
}

TEST_F(MeetingFolders, HaveOneLeader) {
  MeetingFolder leader(path_, 0, kShort);
  EXPECT_THROW(MeetingFolder(path_, 0, kShort), Error);
  leader.put("order/1", "go");
  EXPECT_EQ(leader.look("order/1"), "go") << "it does not notice the other one";
  EXPECT_EQ(left_behind(), 1U);
}

TEST_F(MeetingFolders, HaveOneLeaderWhereSeveralFindOneThatIsDead) {
  for (int round = 0; round < 100; ++round) {
    folder_.write("group/lock", "");
    for (int i = 0; i < 20; ++i) folder_.write("group/" + std::to_string(i), "stale");
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
    std::array<std::optional<MeetingFolder>, 3> leaders;
    std::vector<std::jthread> all;
    for (auto& leader : leaders) {
      all.emplace_back([&] {
        try {
          leader.emplace(path_, 0, kShort);
        } catch (const Error&) {
          return;
        }
      });
    }
    all.clear();
    ASSERT_EQ(std::ranges::count_if(leaders, [](const auto& one) { return one.has_value(); }), 1);
    ASSERT_NO_THROW(MeetingFolder(path_, 1, kShort));
  }
  EXPECT_EQ(left_behind(), 0U);
}

TEST_F(MeetingFolders, AreNotTakenFromOthers) {
  std::filesystem::create_directory(path_);
  folder_.write("group/lock", "");
  std::filesystem::permissions(path_, std::filesystem::perms::all);
  EXPECT_THROW(MeetingFolder(path_, 0, kShort), Error);
  EXPECT_THROW(MeetingFolder(path_, 1, kShort), Error);
  std::filesystem::remove_all(path_);
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", path_);
  EXPECT_THROW(MeetingFolder(path_, 0, kShort), Error);
  EXPECT_THROW(MeetingFolder(path_, 1, kShort), Error);
}

}  // namespace
}  // namespace espalier
