// SPDX-License-Identifier: Apache-2.0
#include "datasets/class_folder.h"

#include <set>

#include "datasets/images.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

using Names = std::vector<std::string>;

std::uint8_t brightness(const Images& images, std::size_t i) {
  return images.pixels[i * images.bytes_per_image()];
}

// `count` pictures, told apart by their brightness: first, first + 1, …
void write_class(const TemporaryFolder& folder, const std::string& name, std::size_t count,
                 std::uint8_t first) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<std::uint8_t>(first + i);
    folder.write(name + "/" + std::to_string(i) + ".png", png_of(plain_picture(3, value)));
  }
}

TEST(ClassFolder, HasTheClassesOfItsSubfoldersInOrder) {
  const TemporaryFolder folder;
  folder.write("train/dog/a.ppm", ppm_of(plain_picture(40, 10)));
  folder.write("train/cat/b.JPG", jpeg_of(plain_picture(40, 20)));
  folder.write("train/cat/a.PNG", png_of(plain_picture(40, 30)));
  folder.write("test/dog/a.pgm", ppm_of(sample_picture(2, 2, 1)));
  folder.write("test/cat/a.jpeg", jpeg_of(plain_picture(4, 50)));
  const Dataset dataset = read_class_folder(folder.path());
  EXPECT_EQ(dataset.classes, (Names{"cat", "dog"}));
  EXPECT_EQ(dataset.train.labels, (std::vector<std::uint16_t>{0, 0, 1}));
  EXPECT_EQ(brightness(dataset.train, 0), 30);
  EXPECT_EQ(brightness(dataset.train, 1), 20);
  EXPECT_EQ(brightness(dataset.train, 2), 10);
  EXPECT_EQ(dataset.test.labels, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_TRUE(is_sound(dataset.test, 2));
  EXPECT_EQ(read_class_folder(folder.path(), {.channels = 1}).train.bytes_per_image(), 1024U);
}

TEST(ClassFolder, PutsATenthAsideForTesting) {
  const TemporaryFolder folder;
  write_class(folder, "a", 30, 0);
  write_class(folder, "b", 5, 100);
  const Dataset dataset = read_class_folder(folder.path());
  EXPECT_EQ(dataset.train.size(), 27U + 4U);
  EXPECT_EQ(dataset.test.labels, (std::vector<std::uint16_t>{0, 0, 0, 1}));
  std::set<int> seen;
  for (std::size_t i = 0; i < 31; ++i) seen.insert(brightness(dataset.train, i));
  for (std::size_t i = 0; i < 4; ++i) seen.insert(brightness(dataset.test, i));
  EXPECT_EQ(seen.size(), 35U);
}

TEST(ClassFolder, ChoosesTheTestImagesByTheSeed) {
  const TemporaryFolder folder;
  write_class(folder, "a", 40, 0);
  write_class(folder, "b", 40, 100);
  const auto test_of = [&](std::uint64_t seed) {
    return read_class_folder(folder.path(), {.seed = seed}).test.pixels;
  };
  EXPECT_EQ(test_of(1), test_of(1));
  EXPECT_NE(test_of(1), test_of(2));
}

TEST(ClassFolder, LeavesOtherFilesAlone) {
  const TemporaryFolder folder;
  write_class(folder, "a", 2, 0);
  write_class(folder, "b", 2, 0);
  folder.write("README.md", bytes_of("hello"));
  folder.write("a/notes.txt", bytes_of("hello"));
  folder.write("a/.hidden.png", bytes_of("hello"));
  folder.write(".git/x.png", bytes_of("hello"));
  EXPECT_EQ(read_class_folder(folder.path()).train.size(), 2U);
}

TEST(ClassFolder, MayHaveAClassCalledTrain) {
  const TemporaryFolder folder;
  write_class(folder, "train", 2, 0);
  write_class(folder, "bus", 2, 0);
  EXPECT_EQ(read_class_folder(folder.path()).classes, (Names{"bus", "train"}));
}

TEST(ClassFolder, NamesThePictureThatCannotBeRead) {
  const TemporaryFolder folder;
  write_class(folder, "a", 2, 0);
  write_class(folder, "b", 2, 0);
  folder.write("b/bad.png", bytes_of("not a picture"));
  EXPECT_TRUE(refuses([&] { read_class_folder(folder.path()); }, "b/bad.png: neither PNG"));
}

TEST(ClassFolder, RefusesFoldersThatMakeNoSense) {
  const TemporaryFolder folder;
  const auto read = [&] { read_class_folder(folder.path()); };
  write_class(folder, "a", 2, 0);
  EXPECT_TRUE(refuses(read, "1 class; it must be 2"));
  write_class(folder, "b", 1, 0);
  EXPECT_TRUE(refuses(read, "b: one picture only"));
  folder.write("c/readme.txt", bytes_of("x"));
  EXPECT_TRUE(refuses(read, "c: a class without pictures"));
  write_class(folder, "train/a", 1, 0);
  EXPECT_TRUE(refuses(read, "train/ without test/"));
}

TEST(ClassFolder, RefusesNamesThatCannotBePrinted) {
  const TemporaryFolder folder;
  write_class(folder, "a", 2, 0);
  write_class(folder, "b\n", 2, 0);
  EXPECT_TRUE(refuses([&] { read_class_folder(folder.path()); }, "'b?' is not printable"));
}

TEST(ClassFolder, RefusesATestClassThatIsNotTrained) {
  const TemporaryFolder folder;
  for (const char* name : {"train/cats", "train/dogs", "test/cats", "test/dgos"}) {
    write_class(folder, name, 1, 0);
  }
  EXPECT_TRUE(refuses([&] { read_class_folder(folder.path()); },
                      "dgos: a class that train/ does not have; did you mean 'dogs'?"));
}

}  // namespace
}  // namespace espalier
