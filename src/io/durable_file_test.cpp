// SPDX-License-Identifier: Apache-2.0
#include "io/durable_file.h"

#include <csignal>
#include <fstream>
#include <sstream>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include "core/error.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// A folder of its own, gone afterwards.
class DurableFile : public testing::Test {
 protected:
  DurableFile() {
    std::string name = (fs::temp_directory_path() / "espalier-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~DurableFile() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path folder_;
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

TEST_F(DurableFile, ReplacesTheOldOne) {
  write_durably(folder_ / "a", "old");
  write_durably(folder_ / "a", "new");
  EXPECT_EQ(content(folder_ / "a"), "new");
}

TEST_F(DurableFile, LeavesTheOldOneWhenTheDiskIsFull) {
  write_durably(folder_ / "a", "old");
  try {
    const FullDisk full(100);
    write_durably(folder_ / "a", std::string(1000, 'x'));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::RunFailed);
    EXPECT_NE(std::string(error.hint()).find("make room"), std::string::npos);
  }
  EXPECT_EQ(content(folder_ / "a"), "old");
  EXPECT_FALSE(fs::exists(folder_ / "a.tmp"));
}

TEST_F(DurableFile, SaysWhatItCouldNotWrite) {
  try {
    write_durably(folder_ / "none" / "a", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("none/a' could not be written"), std::string::npos);
  }
}

TEST_F(DurableFile, TakesOverWhatOthersHaveWritten) {
  std::ofstream(folder_ / "b.part") << "text";
  rename_durably(folder_ / "b.part", folder_ / "b");
  EXPECT_EQ(content(folder_ / "b"), "text");
  EXPECT_FALSE(fs::exists(folder_ / "b.part"));
}

}  // namespace
}  // namespace espalier
