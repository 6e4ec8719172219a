// SPDX-License-Identifier: Apache-2.0
#include "datasets/file_bytes.h"

#include <sys/stat.h>

#include "datasets/sample_files.h"

namespace espalier {
namespace {

TEST(FileBytes, AreThoseOfTheFile) {
  const TemporaryFolder folder;
  const auto path = folder.write("some.bin", bytes_of("abc"));
  EXPECT_EQ(read_file_bytes(path, 3), bytes_of("abc"));
}

TEST(FileBytes, RefuseWhatIsNoFile) {
  const TemporaryFolder folder;
  const auto fifo = folder.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(refuses([&] { read_file_bytes(folder.path() / "none", 9); }, "none: no such file"));
  EXPECT_TRUE(refuses([&] { read_file_bytes(folder.path(), 9); }, "not a regular file"));
  EXPECT_TRUE(refuses([&] { read_file_bytes(fifo, 9); }, "not a regular file"));
}

TEST(FileBytes, RefuseTheEmptyAndTheHuge) {
  const TemporaryFolder folder;
  EXPECT_TRUE(refuses([&] { read_file_bytes(folder.write("e", ""), 9); }, "e: empty"));
  const auto path = folder.write("huge", bytes_of("x"));
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40U);  // takes no disk
  EXPECT_TRUE(refuses([&] { read_file_bytes(path, 1000); }, "at most 1,000 are read"));
}

}  // namespace
}  // namespace espalier
