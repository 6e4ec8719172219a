// SPDX-License-Identifier: Apache-2.0
// IDX files, as of MNIST and its relatives: a magic number, the sizes, then bytes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"
#include "datasets/file_bytes.h"

namespace espalier {

struct IdxOptions {
  // 1 or 3: grey is repeated, so that networks for colour images take it as it is.
  int channels = 3;
};

// Of unsigned bytes; borrows them from the file.
struct IdxArray {
  std::vector<std::size_t> shape;
  ByteView values;  // as many as the product of `shape`
};

// Throws Error{BadInput} naming `file` unless its length is exactly what its header says. At most
// three dimensions, none of them empty.
IdxArray parse_idx(ByteView bytes, std::string_view file);

// The images [count, height, width], and their labels [count].
struct IdxPair {
  IdxArray images;
  IdxArray labels;
  std::string images_file;  // for messages
  std::string labels_file;
};

// At 32×32: smaller images are put in the middle of a black border, larger ones resized. Throws
// Error{BadInput} where the two do not fit together.
Images idx_images(const IdxPair& pair, const IdxOptions& options);

// train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte,
// each plain or with .gz. The classes are those that classes.txt names, one per line; without it,
// the labels of the training images, which then must not have gaps.
Dataset read_idx_folder(const std::filesystem::path& folder, const IdxOptions& options = {});

// The same with these classes.
Dataset read_idx_folder(const std::filesystem::path& folder, const IdxOptions& options,
                        std::vector<std::string> classes);

}  // namespace espalier
