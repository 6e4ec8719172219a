// SPDX-License-Identifier: Apache-2.0
#include "datasets/cifar_strip.h"

#include "datasets/cifar.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

TEST(CifarStrip, BecomesAFileThatCifarReads) {
  const Picture strip = sample_picture(1024, 2, 3);
  const Images images =
      parse_cifar(cifar10_bytes(strip, Bytes{7, 3}, "s"), CifarKind::Cifar10, "b");
  EXPECT_EQ(images.labels, (std::vector<std::uint16_t>{7, 3}));
  EXPECT_EQ(images.pixels[0], strip.pixels[0]);            // red
  EXPECT_EQ(images.pixels[1], strip.pixels[3]);            // red of the next
  EXPECT_EQ(images.pixels[1024], strip.pixels[1]);         // green
  EXPECT_EQ(images.pixels[3072], strip.pixels[1024 * 3]);  // the next image
  EXPECT_EQ(images.pixels.back(), strip.pixels.back());
}

TEST(CifarStrip, RefusesOtherPictures) {
  const auto pack = [](std::size_t width, std::size_t channels) {
    return [=] { cifar10_bytes(sample_picture(width, 2, channels), Bytes{7, 3}, "s"); };
  };
  EXPECT_TRUE(refuses(pack(1023, 3), "s: 1,023×2 pixels in 3 channels; expected 1,024×2 in 3"));
  EXPECT_TRUE(refuses(pack(1024, 1), "1 channel;"));
  EXPECT_TRUE(refuses([] { cifar10_bytes(sample_picture(1024, 2, 3), Bytes{7}, "s"); }, "×1 in 3"));
}

TEST(CifarStrip, ReadsLabels) {
  EXPECT_EQ(parse_label_list("[3,8,0]\n", "l"), (Bytes{3, 8, 0}));
  for (const char* text :
       {"", "[", "[]", "[3", "[3,", "[3,]", "[10]", "3,8", "[3 8]", "[3]]", "[-1]"}) {
    EXPECT_TRUE(refuses([&] { parse_label_list(text, "l"); }, "l: byte ")) << text;
  }
}

}  // namespace
}  // namespace espalier
