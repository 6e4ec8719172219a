// SPDX-License-Identifier: Apache-2.0
// Which changes are worth a look, so that deciding is quick.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "policies/policy_map.h"
#include "policies/policy_sweep.h"

namespace espalier {

// Problem.    A decision compares all changes, though most of them are far too dear.
// Idea.       Look at every eighth loss and time: a change that is not nearly the best at any of
//             the corners of a field, for any luck, is not looked at inside. What lucks disagree
//             about stays, and so does what is a compromise between them.
// Immutable.
class MoveShortlist {
 public:
  MoveShortlist(const PolicyMap& map, const PolicyValues& values);

  // Bit i: the site's change number i may be the best near there.
  std::uint64_t near(std::size_t site, std::size_t loss_knot, std::size_t time_knot) const {
    return fields_[(time_knot / kField * losses_ + loss_knot / kField) * sites_ + site];
  }

 private:
  static constexpr std::size_t kField = 8;

  // To the fields that meet at a corner.
  void list_around(std::size_t time, std::size_t loss, std::size_t site, std::uint64_t moves);

  std::size_t sites_;
  std::size_t losses_;                 // fields across
  std::size_t times_;                  // fields along
  std::vector<std::uint64_t> fields_;  // time × loss × site
};

}  // namespace espalier
