// SPDX-License-Identifier: Apache-2.0
#include "io/durable_write.h"

#include <csignal>
#include <fstream>
#include <sstream>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class DurableWrite : public testing::Test {
 protected:
  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const TemporaryFolder place_;
  const fs::path folder_ = place_.path();
};

// As if the disk were full: no file may grow beyond so many bytes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t most) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{most, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*old_handler_)(int);
  rlimit old_{};
};

TEST_F(DurableWrite, ReplacesTheOldOne) {
  write_durably(folder_ / "a", "old");
  write_durably(folder_ / "a", "new");
  EXPECT_EQ(content(folder_ / "a"), "new");
}

TEST_F(DurableWrite, LeavesTheOldOneWhenTheDiskIsFull) {
  write_durably(folder_ / "a", "old");
  try {
    const FullDisk full(100);
    write_durably(folder_ / "a", std::string(1000, 'x'));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(error.hint().find("space on the disk"), std::string::npos);
  }
  EXPECT_EQ(content(folder_ / "a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1) << "nothing else is left";
}

TEST_F(DurableWrite, SaysWhatItCouldNotWrite) {
  try {
    write_durably(folder_ / "none" / "a", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none/a: cannot write"), std::string::npos);
  }
}

TEST_F(DurableWrite, MakesFoldersInsideEachOther) {
  make_folder_durably(folder_ / "a" / "b" / "c");
  make_folder_durably(folder_ / "a" / "b");
  EXPECT_TRUE(fs::is_directory(folder_ / "a" / "b" / "c"));
}

TEST_F(DurableWrite, MakesNoFolderWhereAFileIs) {
  write_durably(folder_ / "a", "x");
  EXPECT_THROW(make_folder_durably(folder_ / "a" / "b"), Error);
}

}  // namespace
}  // namespace espalier
