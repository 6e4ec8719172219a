// SPDX-License-Identifier: Apache-2.0
// A folder of pictures, one subfolder per class: DIR/CLASS/*.png, or DIR/train/CLASS/*.png and
// DIR/test/CLASS/*.png.
#pragma once

#include <cstdint>
#include <filesystem>

#include "datasets/dataset.h"

namespace espalier {

struct ClassFolderOptions {
  // 1 or 3: grey pictures are repeated for 3, coloured ones become grey for 1.
  int channels = 3;
  // Chooses the test images where there are no train/ and test/.
  std::uint64_t seed = 1;
};

// Has subfolders with pictures, by their names; opens none of them.
bool is_class_folder(const std::filesystem::path& folder);

// Pictures are files *.png, *.jpg, *.jpeg, *.ppm and *.pgm, in the order of their names; other
// files and hidden ones are left alone. Each is stretched to 32×32 (resize.h). Classes are the
// names of the subfolders, in alphabetical order. Without train/ and test/, a tenth of each class,
// at least one picture, is for testing. Throws Error{BadInput} naming the folder or the picture:
// fewer than two classes, a class without pictures, a test class that is not trained, or a picture
// that cannot be read. Memory: 3 KiB per picture, and one picture while it is decoded.
Dataset read_class_folder(const std::filesystem::path& folder,
                          const ClassFolderOptions& options = {});

}  // namespace espalier
