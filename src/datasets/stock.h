// SPDX-License-Identifier: Apache-2.0
// The training images of each class, in an order drawn once, and how many of them are taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datasets/dataset.h"
#include "datasets/split.h"

namespace espalier {

// Owned by one thread.
class Stock {
 public:
  Stock(const Dataset& dataset, const SplitOptions& options);

  std::size_t classes() const { return shelves_.size(); }
  // Of that class, taken or not.
  std::size_t total(std::size_t label) const { return shelves_[label].samples.size(); }
  // What nobody has.
  std::size_t untaken(std::size_t label) const;
  // What the next node set can have.
  std::size_t available(std::size_t label) const;

  // The next `count` images of the class; a node set asks once per class. REQUIRES: available.
  SampleList take(std::size_t label, std::size_t count);

  // Images that were taken more than once.
  std::size_t shared() const;

 private:
  struct Shelf {
    SampleList samples;
    std::size_t taken = 0;  // counts on beyond the end, where it starts again from the front
  };

  Overlap overlap_;
  std::vector<Shelf> shelves_;
};

}  // namespace espalier
