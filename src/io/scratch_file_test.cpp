// SPDX-License-Identifier: Apache-2.0
#include "io/scratch_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

TEST(ScratchFile, KeepsWhatIsWrittenWithoutAName) {
  const TemporaryFolder folder;
  ScratchFile file(folder.path());
  file.write("some ");
  file.write("bytes");
  EXPECT_EQ(file.size(), 10U);
  std::string five(5, ' ');
  file.read(5, five);
  EXPECT_EQ(five, "bytes");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ScratchFile, NeedsAFolder) {
  const TemporaryFolder folder;
  EXPECT_THROW(ScratchFile(folder / "elsewhere"), Error);
}

}  // namespace
}  // namespace espalier
