// SPDX-License-Identifier: Apache-2.0
// Every data set that has a name, and every kind of folder. Adding one adds its pair of files and
// one line in registry.cpp.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "datasets/class_folder.h"
#include "datasets/dataset.h"
#include "datasets/idx.h"

namespace espalier {

struct OpenOptions {
  // Where data sets that were obtained are kept; see data_folder.h.
  std::filesystem::path data_folder;
  // Where packages of the system put theirs.
  std::filesystem::path system_folder = "/usr/share/datasets";
  IdxOptions idx;
  ClassFolderOptions class_folder;
};

// A data set that is known by name.
struct NamedDataset {
  std::string name;   // "cifar10"
  std::string use;    // how to write it: "synthetic[:CLASSESxIMAGES[:SEED]]"
  std::string about;  // one line for people
  Dataset (*open)(const std::string& parameters, const OpenOptions& options);
};

// In the order in which people should meet them.
std::span<const NamedDataset> named_datasets();

// Throws Error{BadInput} where `what` is neither the name of a data set nor a folder, as
// open_dataset does, without reading anything.
void check_dataset_name(const std::string& what);

// `what` is the name of a data set, with parameters after a colon where it has some, or the path of
// a folder, which must have a slash in it or exist: CIFAR binary files, IDX files, or pictures by
// class are told apart by what is in it. A name wins over a folder of the same name; "./NAME" is
// the folder. Throws Error{BadInput}: unknown name (with a suggestion), data set not yet obtained
// (with the command that does), a folder of no known kind, and whatever the reader refuses.
Dataset open_dataset(const std::string& what, const OpenOptions& options);

}  // namespace espalier
