// SPDX-License-Identifier: Apache-2.0
#include "datasets/stock.h"

#include <algorithm>

#include "core/error.h"
#include "datasets/draws.h"
#include "datasets/images.h"

namespace espalier {

Stock::Stock(const Dataset& dataset, const SplitOptions& options) : overlap_(options.overlap) {
  for (SampleList& samples : samples_by_class(dataset.train, dataset.classes.size())) {
    Draws draws(options.seed, "order within class", shelves_.size());
    shuffle(samples, draws);
    shelves_.push_back({std::move(samples)});
  }
}

std::size_t Stock::untaken(std::size_t label) const {
  return total(label) - std::min(shelves_[label].taken, total(label));
}

std::size_t Stock::available(std::size_t label) const {
  return overlap_ == Overlap::Refused ? untaken(label) : total(label);
}

SampleList Stock::take(std::size_t label, std::size_t count) {
  ESPALIER_CHECK(count <= available(label));
  Shelf& shelf = shelves_[label];
  SampleList list;
  for (std::size_t i = 0; i < count; ++i) {
    list.push_back(shelf.samples[shelf.taken % shelf.samples.size()]);
    ++shelf.taken;
  }
  return list;
}

std::size_t Stock::shared() const {
  std::size_t count = 0;
  for (const Shelf& shelf : shelves_) {
    const std::size_t size = shelf.samples.size();
    count += std::min(shelf.taken - std::min(shelf.taken, size), size);
  }
  return count;
}

}  // namespace espalier
