// SPDX-License-Identifier: Apache-2.0
#include "wire/digest.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

TEST(Digests, AreThoseOfTheStandard) {
  EXPECT_EQ(object_of("abc").sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(object_of("").sha256,
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(object_of("abc").size, 3U);
}

TEST(Digests, OfFilesAreThoseOfTheirBytes) {
  const TemporaryFolder folder;
  const std::string bytes(3'000'000, 'x');
  std::ofstream(folder.path() / "file", std::ios::binary) << bytes;
  EXPECT_EQ(object_in(folder.path() / "file"), object_of(bytes));
  EXPECT_THROW(object_in(folder.path() / "none"), Error);
  EXPECT_THROW(object_in(folder.path()), Error);
}

}  // namespace
}  // namespace espalier
