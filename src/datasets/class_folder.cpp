// SPDX-License-Identifier: Apache-2.0
#include "datasets/class_folder.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/error.h"
#include "core/near_miss.h"
#include "datasets/class_names.h"
#include "datasets/draws.h"
#include "datasets/folder_name.h"
#include "datasets/limits.h"
#include "datasets/picture.h"
#include "datasets/resize.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFolders = 10'000;
constexpr std::size_t kTestOneIn = 10;
constexpr std::array<std::string_view, 5> kEndings{".png", ".jpg", ".jpeg", ".ppm", ".pgm"};

using PicturesByClass = std::map<std::string, std::vector<fs::path>>;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool has_picture_name(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

// What is in `folder` and not hidden, in the order of names.
std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!is_hidden(it->path())) entries.push_back(*it);
    if (entries.size() > kMostImages) refuse(folder.string(), "too many files in one folder");
  }
  if (error) refuse(folder.string(), "not readable: " + error.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_folder(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.is_directory(ignored);
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> pictures;
  for (const fs::directory_entry& entry : entries_of(folder)) {
    if (has_picture_name(entry.path()) && !is_folder(entry)) pictures.push_back(entry.path());
  }
  return pictures;
}

bool has_subfolder(const fs::path& folder) {
  const auto entries = entries_of(folder);
  return std::any_of(entries.begin(), entries.end(), is_folder);
}

PicturesByClass pictures_by_class(const fs::path& folder) {
  PicturesByClass classes;
  std::size_t total = 0;
  for (const fs::directory_entry& entry : entries_of(folder)) {
    if (!is_folder(entry)) continue;
    const std::string name = entry.path().filename().string();
    check_class_name(name, folder.string());
    const auto& pictures = classes[name] = pictures_in(entry.path());
    if (pictures.empty()) {
      refuse(
          entry.path().string(), "a class without pictures",
          "pictures are *.png, *.jpg, *.jpeg, *.ppm or *.pgm; remove the folder if it is no class");
    }
    refuse_too_many(total += pictures.size(), folder.string());
  }
  if (classes.size() < 2 || classes.size() > kMostFolders) {
    refuse(
        folder.string(),
        counted(classes.size(), "class", "classes") + "; it must be 2 to " + counted(kMostFolders),
        "put the pictures of each class into a subfolder of its own");
  }
  return classes;
}

std::vector<std::string> names_of(const PicturesByClass& classes) {
  std::vector<std::string> names;
  for (const auto& [name, pictures] : classes) names.push_back(name);
  return names;
}

Images load(const PicturesByClass& classes, const std::vector<std::string>& labels, int channels) {
  Images images;
  images.channels = channels;
  for (const auto& [name, pictures] : classes) {
    const auto label = std::find(labels.begin(), labels.end(), name) - labels.begin();
    for (const fs::path& path : pictures) {
      append(images, resized(read_picture(path), kSide), static_cast<std::uint16_t>(label));
    }
  }
  return images;
}

void check_test_classes(const PicturesByClass& test, const std::vector<std::string>& trained,
                        const fs::path& folder) {
  for (const auto& [name, pictures] : test) {
    if (std::find(trained.begin(), trained.end(), name) != trained.end()) continue;
    refuse((folder / "test" / name).string(),
           "a class that train/ does not have" + did_you_mean(name, trained),
           "name the class folders of train/ and test/ alike");
  }
}

// Moves a tenth of each class out of `classes`.
PicturesByClass take_test_part(PicturesByClass& classes, std::uint64_t seed) {
  PicturesByClass test;
  for (auto& [name, pictures] : classes) {
    if (pictures.size() < 2) {
      refuse(pictures.front().parent_path().string(), "one picture only",
             "a class needs at least two: one for training, one for testing");
    }
    Draws draws(seed, "test part of class " + name);
    shuffle(pictures, draws);
    const std::size_t count = std::max<std::size_t>(1, pictures.size() / kTestOneIn);
    const auto first = pictures.end() - static_cast<std::ptrdiff_t>(count);
    test[name].assign(first, pictures.end());
    pictures.erase(first, pictures.end());
    std::sort(pictures.begin(), pictures.end());
    std::sort(test[name].begin(), test[name].end());
  }
  return test;
}

// A class may well be called "train": then it holds pictures, not folders.
bool has_parts(const fs::path& folder) {
  std::error_code ignored;
  const bool train = fs::is_directory(folder / "train", ignored) && has_subfolder(folder / "train");
  const bool test = fs::is_directory(folder / "test", ignored) && has_subfolder(folder / "test");
  if (train != test) {
    refuse(folder.string(), train ? "train/ without test/" : "test/ without train/",
           "have both, or put the class folders directly into the folder");
  }
  return train;
}

}  // namespace

bool is_class_folder(const fs::path& folder) {
  if (has_parts(folder)) return true;
  const auto entries = entries_of(folder);
  return std::any_of(entries.begin(), entries.end(), [](const auto& entry) {
    return is_folder(entry) && !pictures_in(entry.path()).empty();
  });
}

Dataset read_class_folder(const fs::path& folder, const ClassFolderOptions& options) {
  ESPALIER_CHECK(options.channels == 1 || options.channels == 3);
  const bool parts = has_parts(folder);
  PicturesByClass train = pictures_by_class(parts ? folder / "train" : folder);
  const PicturesByClass test =
      parts ? pictures_by_class(folder / "test") : take_test_part(train, options.seed);
  std::vector<std::string> names = names_of(train);
  check_test_classes(test, names, folder);
  Images train_images = load(train, names, options.channels);
  Images test_images = load(test, names, options.channels);
  return {folder_name(folder), std::move(names), std::move(train_images), std::move(test_images)};
}

}  // namespace espalier
