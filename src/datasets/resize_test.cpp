// SPDX-License-Identifier: Apache-2.0
#include "datasets/resize.h"

#include "datasets/sample_files.h"

namespace espalier {
namespace {

TEST(Resize, LeavesTheRightSizeAlone) {
  const Picture picture = sample_picture(32, 32, 3);
  EXPECT_EQ(resized(picture, 32).pixels, picture.pixels);
}

TEST(Resize, AveragesTheAreaWhenShrinking) {
  const Picture picture{4,
                        2,
                        1,
                        {0, 10, 100, 102,  //
                         20, 30, 104, 106}};
  EXPECT_EQ(resized(picture, 2).pixels, (Bytes{5, 101, 25, 105}));
  EXPECT_EQ(resized({3, 3, 1, {0, 0, 90, 0, 0, 90, 0, 0, 90}}, 2).pixels, (Bytes{0, 60, 0, 60}));
}

TEST(Resize, InterpolatesWhenGrowing) {
  EXPECT_EQ(resized({2, 1, 1, {0, 100}}, 4).pixels,
            (Bytes{0, 25, 75, 100, 0, 25, 75, 100, 0, 25, 75, 100, 0, 25, 75, 100}));
}

TEST(Resize, KeepsPlainColoursPlain) {
  for (const std::size_t side : {1U, 5U, 31U, 33U, 100U}) {
    const Picture result = resized(plain_picture(side, 255), 32);
    EXPECT_EQ(result.pixels, Bytes(32 * 32 * 3, 255)) << side;
  }
}

TEST(Resize, KeepsChannelsApart) {
  Picture picture{64, 64, 3, {}};
  for (int i = 0; i < 64 * 64; ++i) picture.pixels.insert(picture.pixels.end(), {10, 20, 30});
  const Picture result = resized(picture, 32);
  EXPECT_EQ(Bytes(result.pixels.end() - 3, result.pixels.end()), (Bytes{10, 20, 30}));
}

TEST(Resize, FramesWhatFitsAndShrinksWhatDoesNot) {
  EXPECT_EQ(framed({1, 2, 1, {7, 8}}, 4).pixels,
            (Bytes{0, 0, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(framed(plain_picture(9, 50), 4).pixels, Bytes(4 * 4 * 3, 50));
}

}  // namespace
}  // namespace espalier
