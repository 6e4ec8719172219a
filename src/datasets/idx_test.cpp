// SPDX-License-Identifier: Apache-2.0
#include "datasets/idx.h"

#include "datasets/images.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

TEST(Idx, HasAShapeAndValues) {
  const Bytes bytes = idx_of({2, 3}, bytes_of("abcdef"));
  const IdxArray array = parse_idx(bytes, "f");
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(Bytes(array.values.begin(), array.values.end()), bytes_of("abcdef"));
}

TEST(Idx, RefusesALengthThatIsNotTheHeaders) {
  const auto parse = [](std::vector<std::uint32_t> shape, std::size_t length) {
    return [=] { parse_idx(idx_of(shape, Bytes(length)), "f"); };
  };
  EXPECT_TRUE(refuses(parse({6}, 5), "f: the header asks for more than the 5 bytes"));
  EXPECT_TRUE(refuses(parse({6}, 7), "f: 1 byte after the last value"));
  EXPECT_TRUE(refuses(parse({0, 3}, 0), "nothing in it"));
}

TEST(Idx, IsNotFooledBySizesThatOverflow) {
  const auto huge = idx_of({0xffffffffU, 0xffffffffU, 0xffffffffU}, Bytes(100));
  EXPECT_TRUE(refuses([&] { parse_idx(huge, "f"); }, "asks for more than the 100 bytes"));
  // 2^32 · 2^32 · … is 0 in 64 bits.
  const auto wrapped = idx_of({0x80000000U, 0x80000000U, 4}, {});
  EXPECT_TRUE(refuses([&] { parse_idx(wrapped, "f"); }, "asks for more than the 0 bytes"));
}

TEST(Idx, RefusesOtherFiles) {
  const auto parse = [](Bytes bytes) { return [=] { parse_idx(bytes, "f"); }; };
  EXPECT_TRUE(refuses(parse(bytes_of("P6 1 1 255 abc")), "not an IDX file"));
  EXPECT_TRUE(refuses(parse({0, 0}), "not an IDX file"));
  EXPECT_TRUE(refuses(parse({0, 0, 13, 1, 0, 0, 0, 0}), "values of type 13"));
  EXPECT_TRUE(refuses(parse({0, 0, 8, 0}), "0 dimensions"));
  EXPECT_TRUE(refuses(parse({0, 0, 8, 3, 0, 0, 0, 1}), "3 dimensions in 8 bytes"));
  EXPECT_TRUE(refuses(parse(Bytes{0, 0, 8, 200}), "200 dimensions"));
}

Images images_of(const Bytes& images, const Bytes& labels, const IdxOptions& options) {
  return idx_images({parse_idx(images, "images"), parse_idx(labels, "labels"), "images", "labels"},
                    options);
}

TEST(IdxImages, AreFramedAndRepeated) {
  const Bytes pixels = idx_of({1, 28, 28}, Bytes(28 * 28, 9));
  const Bytes labels = idx_of({1}, Bytes{4});
  const Images colour = images_of(pixels, labels, {});
  ASSERT_TRUE(is_sound(colour, 5));
  ASSERT_EQ(colour.bytes_per_image(), 3072U);
  const auto at = [&](std::size_t channel, std::size_t row, std::size_t column) {
    return colour.pixels[(channel * 32 + row) * 32 + column];
  };
  for (std::size_t channel = 0; channel < 3; ++channel) {
    EXPECT_EQ(at(channel, 1, 16), 0);
    EXPECT_EQ(at(channel, 2, 2), 9);
    EXPECT_EQ(at(channel, 29, 29), 9);
    EXPECT_EQ(at(channel, 16, 30), 0);
  }
  const Images grey = images_of(pixels, labels, {.channels = 1});
  EXPECT_TRUE(std::equal(grey.pixels.begin(), grey.pixels.end(), colour.pixels.begin()));
  EXPECT_EQ(grey.bytes_per_image(), 1024U);
}

TEST(IdxImages, MustFitTheirLabels) {
  const Bytes images = idx_of({2, 1, 1}, Bytes(2));
  EXPECT_TRUE(refuses([&] { images_of(images, idx_of({3}, Bytes(3)), {}); },
                      "labels: 3 labels for 2 images of images"));
  EXPECT_TRUE(refuses([&] { images_of(images, images, {}); }, "not labels: 3 dimensions"));
  EXPECT_TRUE(refuses([&] { images_of(idx_of({2}, Bytes(2)), images, {}); }, "not images"));
}

TEST(IdxImages, AreNotAbsurdlyWide) {
  const Bytes wide = idx_of({1, 1, 40'000}, Bytes(40'000));
  EXPECT_TRUE(refuses([&] { images_of(wide, idx_of({1}, Bytes(1)), {}); }, "too many"));
}

TEST(IdxImages, ShrinkToFit) {
  const Bytes large = idx_of({1, 64, 50}, Bytes(64 * 50, 77));
  EXPECT_EQ(images_of(large, idx_of({1}, Bytes(1)), {}).pixels, Bytes(3072, 77));
}

void write_part(const TemporaryFolder& folder, const std::string& part, const Bytes& labels) {
  const auto count = static_cast<std::uint32_t>(labels.size());
  folder.write(part + "-images-idx3-ubyte.gz", gzip_of(idx_of({count, 4, 4}, Bytes(count * 16))));
  folder.write(part + "-labels-idx1-ubyte", idx_of({count}, labels));
}

TEST(IdxFolder, ReadsPlainAndCompressedFiles) {
  const TemporaryFolder folder;
  write_part(folder, "train", {0, 1, 2, 1});
  write_part(folder, "t10k", {2});
  const Dataset dataset = read_idx_folder(folder.path());
  EXPECT_EQ(dataset.train.labels, (std::vector<std::uint16_t>{0, 1, 2, 1}));
  EXPECT_EQ(dataset.test.size(), 1U);
  EXPECT_EQ(dataset.classes, (std::vector<std::string>{"0", "1", "2"}));
}

TEST(IdxFolder, RefusesLabelsOutOfRange) {
  const TemporaryFolder folder;
  write_part(folder, "train", {0, 1});
  write_part(folder, "t10k", {1, 2});
  EXPECT_TRUE(refuses([&] { read_idx_folder(folder.path()); },
                      "t10k-labels-idx1-ubyte: image 1 has label 2; it must be below 2"));
  EXPECT_TRUE(refuses([&] { read_idx_folder(folder.path(), {}, {"only"}); }, "must be below 1"));
}

TEST(IdxFolder, RefusesGapsUnlessTheClassesAreNamed) {
  const TemporaryFolder folder;
  write_part(folder, "train", {0, 2});
  write_part(folder, "t10k", {0});
  EXPECT_TRUE(refuses([&] { read_idx_folder(folder.path()); }, "no image has label 1"));
  folder.write("classes.txt", bytes_of("a\nb\nc\n"));
  EXPECT_EQ(read_idx_folder(folder.path()).classes.size(), 3U);
}

TEST(IdxFolder, NamesAMissingFile) {
  const TemporaryFolder folder;
  write_part(folder, "train", {0, 1});
  EXPECT_TRUE(
      refuses([&] { read_idx_folder(folder.path()); }, "t10k-images-idx3-ubyte: no such file"));
}

}  // namespace
}  // namespace espalier
