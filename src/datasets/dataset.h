// SPDX-License-Identifier: Apache-2.0
// Labelled images in memory, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace espalier {

// Images of one shape; pixels are [image][channel][row][column], 0–255.
struct Images {
  int channels = 3;
  int height = 32;
  int width = 32;
  std::vector<uint8_t> pixels;
  std::vector<uint16_t> labels;  // one per image, each below the number of classes

  std::size_t size() const { return labels.size(); }
  std::size_t bytes_per_image() const {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) *
           static_cast<std::size_t>(width);
  }
};

struct Dataset {
  std::string name;                  // "cifar10"
  std::vector<std::string> classes;  // their names, in the order of the labels
  Images train;
  Images test;
};

// Which images somebody owns: indices into Images, in no particular order, without repetition.
using SampleList = std::vector<uint32_t>;

}  // namespace espalier
