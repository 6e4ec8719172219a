// SPDX-License-Identifier: Apache-2.0
#include "datasets/gzip.h"

#include "datasets/sample_files.h"

namespace espalier {
namespace {

Bytes joined(Bytes first, const Bytes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(Gzip, GivesBackWhatWasCompressed) {
  const Bytes plain(300'000, 7);
  EXPECT_EQ(gunzip(gzip_of(plain), plain.size(), "f.gz"), plain);
  EXPECT_TRUE(gunzip(gzip_of({}), 10, "f.gz").empty());
}

TEST(Gzip, JoinsTheMembersOfAFile) {
  const Bytes both = joined(gzip_of(bytes_of("ab")), gzip_of(bytes_of("cd")));
  EXPECT_EQ(gunzip(both, 4, "f.gz"), bytes_of("abcd"));
}

TEST(Gzip, RefusesEveryCut) {
  const Bytes whole = gzip_of(sample_picture(20, 20, 3).pixels);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_TRUE(refuses([&] { gunzip(ByteView(whole).first(length), 2000, "f.gz"); }, "cut off"));
  }
}

TEST(Gzip, RefusesDamage) {
  Bytes bytes = gzip_of(bytes_of("hello hello hello"));
  bytes[bytes.size() - 6] ^= 1U;  // its checksum
  EXPECT_TRUE(refuses([&] { gunzip(bytes, 100, "f.gz"); }, "f.gz: the compressed data is damaged"));
}

TEST(Gzip, RefusesWhatFollows) {
  const Bytes bytes = joined(gzip_of(bytes_of("ab")), bytes_of("zz"));
  EXPECT_TRUE(refuses([&] { gunzip(bytes, 100, "f.gz"); }, "2 bytes after the compressed data"));
}

TEST(Gzip, StopsABombAtTheLimit) {
  const Bytes bomb = gzip_of(Bytes(5'000'000));
  EXPECT_TRUE(refuses([&] { gunzip(bomb, 4'999'999, "f.gz"); }, "more than 4,999,999 bytes"));
  EXPECT_EQ(gunzip(bomb, 5'000'000, "f.gz").size(), 5'000'000U);
}

}  // namespace
}  // namespace espalier
