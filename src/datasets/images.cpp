// SPDX-License-Identifier: Apache-2.0
#include "datasets/images.h"

#include <algorithm>

#include "core/error.h"

namespace espalier {

void append(Images& images, const Images& more) {
  ESPALIER_CHECK(images.channels == more.channels && images.height == more.height &&
                 images.width == more.width);
  images.pixels.insert(images.pixels.end(), more.pixels.begin(), more.pixels.end());
  images.labels.insert(images.labels.end(), more.labels.begin(), more.labels.end());
}

bool is_sound(const Images& images, std::size_t classes) {
  if (images.pixels.size() != images.size() * images.bytes_per_image()) return false;
  return std::all_of(images.labels.begin(), images.labels.end(),
                     [&](std::uint16_t label) { return label < classes; });
}

std::vector<SampleList> samples_by_class(const Images& images, std::size_t classes) {
  std::vector<SampleList> lists(classes);
  for (std::size_t i = 0; i < images.size(); ++i) {
    ESPALIER_CHECK(images.labels[i] < classes);
    lists[images.labels[i]].push_back(static_cast<std::uint32_t>(i));
  }
  return lists;
}

std::vector<std::string> numbered_classes(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

}  // namespace espalier
