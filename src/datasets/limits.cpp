// SPDX-License-Identifier: Apache-2.0
#include "datasets/limits.h"

#include "datasets/wording.h"

namespace espalier {

void refuse_too_many(std::size_t images, std::string_view place) {
  if (images <= kMostImages) return;
  refuse(place, counted(images) + " images; at most " + counted(kMostImages) + " are read",
         "take a part of the data set");
}

}  // namespace espalier
