// SPDX-License-Identifier: Apache-2.0
#include "datasets/registry.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/near_miss.h"
#include "datasets/cifar.h"
#include "datasets/images.h"
#include "datasets/synthetic.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

bool has(const fs::path& folder, const char* name) {
  std::error_code ignored;
  return fs::exists(folder / name, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

void refuse_parameters(const std::string& name, const std::string& parameters) {
  if (parameters.empty()) return;
  refuse(name, "takes no parameters, but ':" + parameters + "' follows", "write " + name);
}

// Whatever is missing would otherwise only show as a worse network.
void check_complete(const Dataset& dataset, const fs::path& folder) {
  if (dataset.train.size() == 50'000 && dataset.test.size() == 10'000) return;
  refuse(folder.string(),
         counted(dataset.train.size()) + " training and " + counted(dataset.test.size()) +
             " test images; " + dataset.name + " has 50,000 and 10,000",
         "remove the folder and obtain the data set again");
}

Dataset open_cifar10(const std::string& parameters, const OpenOptions& options) {
  refuse_parameters("cifar10", parameters);
  const fs::path folder = options.data_folder / "cifar10";
  if (!is_folder(folder)) {
    refuse("cifar10", "not there yet: no folder " + folder.string(),
           "scripts/get-data cifar10 obtains it");
  }
  Dataset dataset = read_cifar10(folder);
  check_complete(dataset, folder);
  return dataset;
}

Dataset open_cifar100(const std::string& parameters, const OpenOptions& options) {
  refuse_parameters("cifar100", parameters);
  const fs::path folder = options.data_folder / "cifar100";
  if (!is_folder(folder)) {
    refuse("cifar100", "not there: no folder " + folder.string(),
           "put train.bin and test.bin of the binary version there");
  }
  Dataset dataset = read_cifar100(folder);
  check_complete(dataset, folder);
  return dataset;
}

Dataset open_fashion_mnist(const std::string& parameters, const OpenOptions& options) {
  refuse_parameters("fashion-mnist", parameters);
  const fs::path own = options.data_folder / "fashion-mnist";
  const fs::path folder = is_folder(own) ? own : options.system_folder / "fashion-mnist";
  if (!is_folder(folder)) {
    refuse("fashion-mnist", "not there yet: neither " + own.string() + " nor " + folder.string(),
           "scripts/get-data fashion-mnist obtains it");
  }
  return read_idx_folder(folder, options.idx,
                         {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt",
                          "Sneaker", "Bag", "Ankle boot"});
}

Dataset open_synthetic(const std::string& parameters, const OpenOptions&) {
  return synthetic_dataset(parse_synthetic(parameters));
}

struct FolderKind {
  bool (*matches)(const fs::path&);
  Dataset (*read)(const fs::path&, const OpenOptions&);
};

// The first that matches.
constexpr std::array kFolderKinds{
    FolderKind{
        [](const fs::path& f) { return has(f, "data_batch_1.bin") || has(f, "test_batch.bin"); },
        [](const fs::path& f, const OpenOptions&) { return read_cifar10(f); }},
    FolderKind{[](const fs::path& f) { return has(f, "train.bin") || has(f, "test.bin"); },
               [](const fs::path& f, const OpenOptions&) { return read_cifar100(f); }},
    FolderKind{[](const fs::path& f) {
                 return has(f, "train-images-idx3-ubyte") || has(f, "train-images-idx3-ubyte.gz");
               },
               [](const fs::path& f, const OpenOptions& o) { return read_idx_folder(f, o.idx); }},
    FolderKind{is_class_folder,
               [](const fs::path& f, const OpenOptions& o) {
                 return read_class_folder(f, o.class_folder);
               }},
};

Dataset open_folder(const fs::path& folder, const OpenOptions& options) {
  if (!is_folder(folder)) refuse(folder.string(), "no such folder", "name the data set's folder");
  for (const FolderKind& kind : kFolderKinds) {
    if (kind.matches(folder)) return kind.read(folder, options);
  }
  refuse(folder.string(), "no data set that is known here",
         "a folder holds CIFAR binary files, IDX files, or one subfolder of pictures per class");
}

[[noreturn]] void refuse_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const NamedDataset& dataset : named_datasets()) names.push_back(dataset.name);
  std::string list;
  for (const NamedDataset& dataset : named_datasets()) list += dataset.use + ", ";
  throw Error(ErrorCode::BadInput, "unknown data set '" + name + "'" + did_you_mean(name, names),
              "there are " + list + "and paths of folders");
}

bool is_path(const std::string& what) {
  return what.find('/') != std::string::npos || is_folder(what);
}

std::string name_in(const std::string& what) { return what.substr(0, what.find(':')); }

Dataset open_any(const std::string& what, const OpenOptions& options) {
  const std::string name = name_in(what);
  const std::size_t colon = name.size();
  for (const NamedDataset& dataset : named_datasets()) {
    if (dataset.name != name) continue;
    return dataset.open(what.substr(std::min(colon + 1, what.size())), options);
  }
  if (is_path(what)) return open_folder(what, options);
  refuse_unknown(name);
}

}  // namespace

void check_dataset_name(const std::string& what) {
  const bool is_known = std::ranges::any_of(
      named_datasets(), [&](const NamedDataset& one) { return one.name == name_in(what); });
  if (!is_known && !is_path(what)) refuse_unknown(name_in(what));
  if (!is_known && !is_folder(what)) refuse(what, "no such folder", "name the data set's folder");
}

std::span<const NamedDataset> named_datasets() {
  static const std::array datasets{
      NamedDataset{"cifar10", "cifar10", "50,000 + 10,000 colour images, 10 classes", open_cifar10},
      NamedDataset{"cifar100", "cifar100", "50,000 + 10,000 colour images, 100 classes",
                   open_cifar100},
      NamedDataset{"fashion-mnist", "fashion-mnist", "60,000 + 10,000 grey images, 10 classes",
                   open_fashion_mnist},
      NamedDataset{"synthetic", "synthetic[:CLASSESxIMAGES[:SEED]]",
                   "soft patterns under noise, made up on the spot", open_synthetic},
  };
  return datasets;
}

Dataset open_dataset(const std::string& what, const OpenOptions& options) {
  Dataset dataset = open_any(what, options);
  ESPALIER_CHECK(is_sound(dataset.train, dataset.classes.size()));
  ESPALIER_CHECK(is_sound(dataset.test, dataset.classes.size()));
  return dataset;
}

}  // namespace espalier
