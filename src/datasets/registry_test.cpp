// SPDX-License-Identifier: Apache-2.0
#include "datasets/registry.h"

#include "datasets/sample_files.h"

namespace espalier {
namespace {

OpenOptions options_in(const TemporaryFolder& folder) {
  OpenOptions options;
  options.data_folder = folder.path();
  options.system_folder = folder.path() / "system";
  return options;
}

void write_cifar10(const TemporaryFolder& folder, const std::string& name) {
  for (int i = 1; i <= 5; ++i) {
    folder.write(name + "/data_batch_" + std::to_string(i) + ".bin", cifar_of({{1}}));
  }
  folder.write(name + "/test_batch.bin", cifar_of({{2}}));
}

void write_idx(const TemporaryFolder& folder, const std::string& name, std::uint8_t label) {
  for (const char* part : {"/train", "/t10k"}) {
    folder.write(name + part + "-images-idx3-ubyte.gz", gzip_of(idx_of({2, 1, 1}, Bytes(2))));
    folder.write(name + part + "-labels-idx1-ubyte.gz", gzip_of(idx_of({2}, Bytes{0, label})));
  }
}

TEST(Registry, OpensSyntheticSetsByTheirParameters) {
  const TemporaryFolder folder;
  const Dataset dataset = open_dataset("synthetic:3x10", options_in(folder));
  EXPECT_EQ(dataset.train.size(), 30U);
  EXPECT_EQ(dataset.classes.size(), 3U);
}

TEST(Registry, TellsFoldersApart) {
  const TemporaryFolder folder;
  write_cifar10(folder, "ten");
  folder.write("hundred/train.bin", cifar_of({{1, 2}}));
  folder.write("hundred/test.bin", cifar_of({{1, 2}}));
  write_idx(folder, "idx", 1);
  for (const char* name :
       {"pictures/a/1.png", "pictures/a/2.png", "pictures/b/1.png", "pictures/b/2.png"}) {
    folder.write(name, png_of(plain_picture(2, 3)));
  }
  const auto classes_in = [&](const char* name) {
    return open_dataset((folder.path() / name).string(), options_in(folder)).classes.size();
  };
  EXPECT_EQ(classes_in("ten"), 10U);
  EXPECT_EQ(classes_in("hundred"), 100U);
  EXPECT_EQ(classes_in("idx"), 2U);
  EXPECT_EQ(classes_in("pictures"), 2U);
}

TEST(Registry, RefusesFoldersOfNoKnownKind) {
  const TemporaryFolder folder;
  const auto open = [&](const std::string& path) {
    return [&folder, path] { open_dataset(path, options_in(folder)); };
  };
  EXPECT_TRUE(refuses(open(folder.path().string()), "no data set that is known here"));
  EXPECT_TRUE(refuses(open("no/such/folder"), "no/such/folder: no such folder"));
}

TEST(Registry, SuggestsAName) {
  const TemporaryFolder folder;
  const auto open = [&](const char* name) {
    return [&folder, name] { open_dataset(name, options_in(folder)); };
  };
  EXPECT_TRUE(refuses(open("cifar-10"), "unknown data set 'cifar-10'; did you mean 'cifar10'?"));
  EXPECT_TRUE(refuses(open("fashon-mnist"), "did you mean 'fashion-mnist'?"));
  EXPECT_TRUE(refuses(open("imagenet"), "there are cifar10, cifar100, fashion-mnist, synthetic["));
  EXPECT_TRUE(refuses(open(""), "unknown data set ''"));
}

TEST(Registry, SaysHowToObtainWhatIsMissing) {
  const TemporaryFolder folder;
  const auto open = [&](const char* name) {
    return [&folder, name] { open_dataset(name, options_in(folder)); };
  };
  EXPECT_TRUE(refuses(open("cifar10"), "scripts/get-data cifar10 obtains it"));
  EXPECT_TRUE(refuses(open("cifar100"), "put train.bin and test.bin"));
  EXPECT_TRUE(refuses(open("fashion-mnist"), "scripts/get-data fashion-mnist obtains it"));
}

TEST(Registry, RefusesAnIncompleteCifar10ByName) {
  const TemporaryFolder folder;
  write_cifar10(folder, "cifar10");
  EXPECT_TRUE(refuses([&] { open_dataset("cifar10", options_in(folder)); },
                      "5 training and 1 test images; cifar10 has 50,000 and 10,000"));
}

TEST(Registry, RefusesParametersWhereThereAreNone) {
  const TemporaryFolder folder;
  EXPECT_TRUE(refuses([&] { open_dataset("cifar10:5", options_in(folder)); }, "no parameters"));
}

TEST(Registry, PrefersTheOwnFolderForFashionMnist) {
  const TemporaryFolder folder;
  write_idx(folder, "system/fashion-mnist", 1);
  EXPECT_EQ(open_dataset("fashion-mnist", options_in(folder)).train.labels[1], 1);
  write_idx(folder, "fashion-mnist", 9);
  const Dataset own = open_dataset("fashion-mnist", options_in(folder));
  EXPECT_EQ(own.train.labels[1], 9);
  EXPECT_EQ(own.classes[9], "Ankle boot");
}

TEST(Registry, KnowsNamesWithoutReadingAnything) {
  EXPECT_NO_THROW(check_dataset_name("cifar10"));
  EXPECT_NO_THROW(check_dataset_name("synthetic:10x10"));
  EXPECT_NO_THROW(check_dataset_name("/tmp"));
  EXPECT_THROW(check_dataset_name("nodataset"), Error);
  EXPECT_THROW(check_dataset_name("./nowhere"), Error);
}

}  // namespace
}  // namespace espalier
