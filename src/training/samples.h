// SPDX-License-Identifier: Apache-2.0
// What one owner of images lets a learner see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "datasets/dataset.h"
#include "networks/architecture.h"

namespace espalier {

// Somebody's own labelled images, and nothing else: from here no way leads to the images of others,
// although all may lie in one array. Immutable; the images must outlive it.
class Samples {
 public:
  // Throws Error{BadInput} where the list names an image that isn't there or none at all, or where
  // the images have fewer pixels than they should.
  Samples(const Images& images, SampleList own);
  static Samples all(const Images& images);
  // The first of them, `count` if there are as many. REQUIRES: count > 0.
  Samples first(std::size_t count) const;
  // The one at `begin` and each `stride`-th after it, at most `count`. REQUIRES: begin < size(),
  // the others > 0.
  Samples every(std::size_t stride, std::size_t begin, std::size_t count) const;

  std::size_t size() const { return own_.size(); }
  ImageShape shape() const;
  // Channel by channel, row by row. REQUIRES: index < size().
  std::span<const uint8_t> pixels(std::size_t index) const;
  uint16_t label(std::size_t index) const { return images_->labels[own_[index]]; }

 private:
  const Images* images_;
  SampleList own_;
};

}  // namespace espalier
