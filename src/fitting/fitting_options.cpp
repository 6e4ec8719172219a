// SPDX-License-Identifier: Apache-2.0
#include "fitting/fitting_options.h"

#include <algorithm>

namespace espalier {

FitOptions paced(FitOptions options, std::size_t examples, std::size_t fewest) {
  const auto times = static_cast<int>(
      std::clamp<std::size_t>(fewest / std::max<std::size_t>(examples, 1), 1, kMostPaced));
  options.patience *= times;
  options.most_epochs *= times;
  return options;
}

}  // namespace espalier
