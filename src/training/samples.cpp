// SPDX-License-Identifier: Apache-2.0
#include "training/samples.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/error.h"

namespace espalier {
namespace {

void check_pixels(const Images& images) {
  if (images.channels > 0 && images.height > 0 && images.width > 0 &&
      images.pixels.size() / images.bytes_per_image() >= images.size()) {
    return;
  }
  throw Error(ErrorCode::BadInput, "samples: there are labels without an image");
}

void check_own(const Images& images, const SampleList& own) {
  if (own.empty()) {
    throw Error(ErrorCode::BadInput, "samples: there are none", "give every node images to own");
  }
  const uint32_t last = std::ranges::max(own);
  if (last < images.size()) return;
  throw Error(ErrorCode::BadInput, "samples: there is no image " + std::to_string(last) +
                                       ", only " + std::to_string(images.size()) + " images");
}

}  // namespace

Samples::Samples(const Images& images, SampleList own) : images_(&images), own_(std::move(own)) {
  check_pixels(images);
  check_own(images, own_);
}

Samples Samples::all(const Images& images) {
  SampleList own(images.size());
  std::iota(own.begin(), own.end(), 0U);
  return {images, std::move(own)};
}

Samples Samples::first(std::size_t count) const {
  const auto end = own_.begin() + static_cast<std::ptrdiff_t>(std::min(count, own_.size()));
  return {*images_, SampleList(own_.begin(), end)};
}

Samples Samples::every(std::size_t stride, std::size_t begin, std::size_t count) const {
  SampleList some;
  for (std::size_t i = begin; i < own_.size() && some.size() < count; i += stride) {
    some.push_back(own_[i]);
  }
  return {*images_, std::move(some)};
}

ImageShape Samples::shape() const { return {images_->channels, images_->height, images_->width}; }

std::span<const uint8_t> Samples::pixels(std::size_t index) const {
  const std::size_t length = images_->bytes_per_image();
  return std::span(images_->pixels).subspan(own_[index] * length, length);
}

}  // namespace espalier
