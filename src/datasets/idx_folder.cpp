// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "datasets/class_names.h"
#include "datasets/folder_name.h"
#include "datasets/gzip.h"
#include "datasets/idx.h"
#include "datasets/images.h"
#include "datasets/limits.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// With or without .gz.
fs::path present(const fs::path& plain) {
  std::error_code ignored;
  fs::path compressed = plain;
  compressed += ".gz";
  return !fs::exists(plain, ignored) && fs::exists(compressed, ignored) ? compressed : plain;
}

Bytes read_unpacked(const fs::path& path) {
  Bytes bytes = read_file_bytes(path, kMostFileBytes);
  return is_gzip(bytes) ? gunzip(bytes, kMostFileBytes, path.string()) : bytes;
}

Images read_part(const fs::path& folder, const std::string& part, const IdxOptions& options) {
  const fs::path images_path = present(folder / (part + "-images-idx3-ubyte"));
  const fs::path labels_path = present(folder / (part + "-labels-idx1-ubyte"));
  const Bytes images = read_unpacked(images_path);
  const Bytes labels = read_unpacked(labels_path);
  return idx_images(
      {parse_idx(images, images_path.string()), parse_idx(labels, labels_path.string()),
       images_path.string(), labels_path.string()},
      options);
}

std::size_t class_count(const Images& train) {
  return 1U + *std::max_element(train.labels.begin(), train.labels.end());
}

void check_labels(const Images& images, std::size_t classes, const fs::path& place) {
  const auto wrong = std::find_if(images.labels.begin(), images.labels.end(),
                                  [&](std::uint16_t label) { return label >= classes; });
  if (wrong == images.labels.end()) return;
  refuse(place.string(),
         "image " + counted(static_cast<std::size_t>(wrong - images.labels.begin())) +
             " has label " + counted(*wrong) + "; it must be below " + counted(classes),
         "the file is damaged or of another data set; obtain it again");
}

// A label that no image has is a sign of a wrong one above it.
void check_gaps(const Images& train, const fs::path& folder) {
  const std::size_t classes = class_count(train);
  const auto lists = samples_by_class(train, classes);
  const auto gap =
      std::find_if(lists.begin(), lists.end(), [](const auto& l) { return l.empty(); });
  if (gap == lists.end()) return;
  refuse(present(folder / "train-labels-idx1-ubyte").string(),
         "labels go up to " + counted(classes - 1) + ", but no image has label " +
             counted(static_cast<std::size_t>(gap - lists.begin())),
         "number the classes from 0 without gaps, or name all of them in classes.txt");
}

std::vector<std::string> classes_of(const fs::path& folder, const Images& train) {
  if (auto names = read_class_names(folder / "classes.txt")) return std::move(*names);
  check_gaps(train, folder);
  return numbered_classes(class_count(train));
}

Dataset checked(Dataset dataset, const fs::path& folder) {
  const std::size_t classes = dataset.classes.size();
  check_labels(dataset.train, classes, present(folder / "train-labels-idx1-ubyte"));
  check_labels(dataset.test, classes, present(folder / "t10k-labels-idx1-ubyte"));
  return dataset;
}

}  // namespace

Dataset read_idx_folder(const fs::path& folder, const IdxOptions& options) {
  Images train = read_part(folder, "train", options);
  auto classes = classes_of(folder, train);
  return checked({folder_name(folder), std::move(classes), std::move(train),
                  read_part(folder, "t10k", options)},
                 folder);
}

Dataset read_idx_folder(const fs::path& folder, const IdxOptions& options,
                        std::vector<std::string> classes) {
  return checked({folder_name(folder), std::move(classes), read_part(folder, "train", options),
                  read_part(folder, "t10k", options)},
                 folder);
}

}  // namespace espalier
