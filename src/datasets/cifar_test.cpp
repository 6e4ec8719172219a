// SPDX-License-Identifier: Apache-2.0
#include "datasets/cifar.h"

#include "datasets/images.h"
#include "datasets/sample_files.h"

namespace espalier {
namespace {

// Batch i has i images of class i.
void write_cifar10(const TemporaryFolder& folder) {
  for (std::uint8_t i = 1; i <= 5; ++i) {
    folder.write("data_batch_" + std::to_string(i) + ".bin",
                 cifar_of(std::vector<Bytes>(i, Bytes{i})));
  }
  folder.write("test_batch.bin", cifar_of({{9}, {0}}));
}

TEST(Cifar10, JoinsItsBatchesInOrder) {
  const TemporaryFolder folder;
  write_cifar10(folder);
  const Dataset dataset = read_cifar10(folder.path());
  EXPECT_EQ(dataset.train.labels,
            (std::vector<std::uint16_t>{1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5}));
  EXPECT_EQ(dataset.test.labels, (std::vector<std::uint16_t>{9, 0}));
  EXPECT_EQ(dataset.test.pixels[kCifarPixels - 1], 0);
  EXPECT_EQ(dataset.test.pixels[kCifarPixels], 1);
  EXPECT_TRUE(is_sound(dataset.train, 10));
  EXPECT_EQ(dataset.classes.front(), "airplane");
}

TEST(Cifar10, TakesClassNamesFromItsFile) {
  const TemporaryFolder folder;
  write_cifar10(folder);
  folder.write("batches.meta.txt", bytes_of("a\r\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n"));
  EXPECT_EQ(read_cifar10(folder.path()).classes.front(), "a");
  folder.write("batches.meta.txt", bytes_of("a\nb\n"));
  EXPECT_TRUE(refuses([&] { read_cifar10(folder.path()); }, "2 names for 10 classes"));
}

TEST(Cifar10, NamesAMissingBatch) {
  const TemporaryFolder folder;
  write_cifar10(folder);
  std::filesystem::remove(folder.path() / "data_batch_3.bin");
  EXPECT_TRUE(refuses([&] { read_cifar10(folder.path()); }, "data_batch_3.bin: no such file"));
}

TEST(Cifar10, RefusesCutAndProlongedFiles) {
  Bytes bytes = cifar_of({{1}, {2}});
  bytes.pop_back();
  EXPECT_TRUE(refuses([&] { parse_cifar(bytes, CifarKind::Cifar10, "x.bin"); },
                      "x.bin: 6,145 bytes are not a whole number of records of 3,073"));
  bytes.resize(bytes.size() + 2);
  EXPECT_TRUE(refuses([&] { parse_cifar(bytes, CifarKind::Cifar10, "x.bin"); }, "6,147 bytes"));
  EXPECT_TRUE(refuses([&] { parse_cifar({}, CifarKind::Cifar10, "x.bin"); }, "0 bytes"));
}

TEST(Cifar10, RefusesALabelOutOfRange) {
  EXPECT_TRUE(refuses(
      [&] {
        parse_cifar(cifar_of({{1}, {10}}), CifarKind::Cifar10, "x.bin");
      },
      "x.bin: image 1 has label 10; it must be below 10"));
}

TEST(Cifar100, HasFineOrCoarseLabels) {
  const Bytes bytes = cifar_of({{19, 99}, {3, 42}});
  const Images fine = parse_cifar(bytes, CifarKind::Cifar100, "train.bin");
  const Images coarse = parse_cifar(bytes, CifarKind::Cifar100Coarse, "train.bin");
  EXPECT_EQ(fine.labels, (std::vector<std::uint16_t>{99, 42}));
  EXPECT_EQ(coarse.labels, (std::vector<std::uint16_t>{19, 3}));
  EXPECT_EQ(fine.pixels, coarse.pixels);
  EXPECT_EQ(fine.pixels.back(), 1);
}

TEST(Cifar100, RefusesEitherLabelOutOfRange) {
  const auto parse = [](const Bytes& labels) {
    return [=] { parse_cifar(cifar_of({labels}), CifarKind::Cifar100, "train.bin"); };
  };
  EXPECT_TRUE(refuses(parse({20, 0}), "coarse label 20; it must be below 20"));
  EXPECT_TRUE(refuses(parse({0, 100}), "fine label 100; it must be below 100"));
}

TEST(Cifar100, ReadsItsFolder) {
  const TemporaryFolder folder;
  folder.write("train.bin", cifar_of({{0, 1}, {1, 2}}));
  folder.write("test.bin", cifar_of({{0, 3}}));
  const Dataset fine = read_cifar100(folder.path());
  EXPECT_EQ(fine.train.size(), 2U);
  EXPECT_EQ(fine.test.labels, std::vector<std::uint16_t>{3});
  EXPECT_EQ(fine.classes.size(), 100U);
  EXPECT_EQ(read_cifar100(folder.path(), CifarKind::Cifar100Coarse).classes.size(), 20U);
}

// CIFAR-100 files taken for CIFAR-10 and the other way round.
TEST(Cifar, RefusesFilesOfTheOtherKind) {
  EXPECT_TRUE(refuses(
      [] {
        parse_cifar(cifar_of({{1, 2}}), CifarKind::Cifar10, "f");
      },
      "3,074 bytes"));
  EXPECT_TRUE(
      refuses([] { parse_cifar(cifar_of({{1}}), CifarKind::Cifar100, "f"); }, "3,073 bytes"));
}

}  // namespace
}  // namespace espalier
