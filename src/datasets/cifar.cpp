// SPDX-License-Identifier: Apache-2.0
#include "datasets/cifar.h"

#include "core/error.h"
#include "datasets/class_names.h"
#include "datasets/images.h"
#include "datasets/limits.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

struct LabelByte {
  std::size_t classes;
  std::string_view what;
};

struct Layout {
  std::vector<LabelByte> labels;
  std::size_t counts;  // which of them is the label
  std::string name_file;

  std::size_t record_bytes() const { return labels.size() + kCifarPixels; }
  std::size_t classes() const { return labels[counts].classes; }
};

Layout layout_of(CifarKind kind) {
  if (kind == CifarKind::Cifar10) return {{{10, "label"}}, 0, "batches.meta.txt"};
  const std::vector<LabelByte> labels{{20, "coarse label"}, {100, "fine label"}};
  if (kind == CifarKind::Cifar100) return {labels, 1, "fine_label_names.txt"};
  return {labels, 0, "coarse_label_names.txt"};
}

std::size_t record_count(ByteView bytes, const Layout& layout, std::string_view file) {
  const std::size_t record = layout.record_bytes();
  if (bytes.empty() || bytes.size() % record != 0) {
    refuse(file,
           counted(bytes.size()) + " bytes are not a whole number of records of " + counted(record),
           "the file is cut off or of another kind; obtain it again");
  }
  return bytes.size() / record;
}

void check_labels(ByteView record, std::size_t index, const Layout& layout, std::string_view file) {
  for (std::size_t i = 0; i < layout.labels.size(); ++i) {
    const LabelByte& label = layout.labels[i];
    if (record[i] < label.classes) continue;
    refuse(file,
           "image " + counted(index) + " has " + std::string(label.what) + " " +
               counted(record[i]) + "; it must be below " + counted(label.classes),
           "the file is damaged or of another kind; obtain it again");
  }
}

Images read_part(const fs::path& path, CifarKind kind) {
  return parse_cifar(read_file_bytes(path, kMostFileBytes), kind, path.string());
}

std::vector<std::string> well_known_names(CifarKind kind) {
  if (kind != CifarKind::Cifar10) return numbered_classes(layout_of(kind).classes());
  return {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
}

std::vector<std::string> class_names(const fs::path& folder, CifarKind kind) {
  const Layout layout = layout_of(kind);
  auto names = read_class_names(folder / layout.name_file, layout.classes());
  return names ? std::move(*names) : well_known_names(kind);
}

}  // namespace

Images parse_cifar(ByteView bytes, CifarKind kind, std::string_view file) {
  const Layout layout = layout_of(kind);
  const std::size_t count = record_count(bytes, layout, file);
  Images images;
  images.labels.reserve(count);
  images.pixels.reserve(count * kCifarPixels);
  for (std::size_t i = 0; i < count; ++i) {
    const ByteView record = bytes.subspan(i * layout.record_bytes(), layout.record_bytes());
    check_labels(record, i, layout, file);
    images.labels.push_back(record[layout.counts]);
    const ByteView pixels = record.subspan(layout.labels.size());
    images.pixels.insert(images.pixels.end(), pixels.begin(), pixels.end());
  }
  return images;
}

Dataset read_cifar10(const fs::path& folder) {
  Dataset dataset{"cifar10", class_names(folder, CifarKind::Cifar10), {}, {}};
  for (int i = 1; i <= 5; ++i) {
    const std::string name = "data_batch_" + std::to_string(i) + ".bin";
    append(dataset.train, read_part(folder / name, CifarKind::Cifar10));
    refuse_too_many(dataset.train.size(), folder.string());
  }
  dataset.test = read_part(folder / "test_batch.bin", CifarKind::Cifar10);
  return dataset;
}

Dataset read_cifar100(const fs::path& folder, CifarKind kind) {
  ESPALIER_CHECK(kind != CifarKind::Cifar10);
  return {"cifar100", class_names(folder, kind), read_part(folder / "train.bin", kind),
          read_part(folder / "test.bin", kind)};
}

}  // namespace espalier
