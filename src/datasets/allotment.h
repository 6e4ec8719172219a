// SPDX-License-Identifier: Apache-2.0
// How many images of each class each member of a node set gets.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "datasets/draws.h"

namespace espalier {

// [member][class of the node set]
using Allotment = std::vector<std::vector<std::size_t>>;

// So many images for `member` of `members` when `samples` are dealt out evenly.
std::size_t even_part(std::size_t samples, std::size_t members, std::size_t member);

// `quotas`: how many images of each class there are to deal out. Members differ by one image at
// most, in all and of each class.
Allotment iid_allotment(std::span<const std::size_t> quotas, std::size_t members);

// All of `quotas` too; members differ by one image at most in all, but each has its own mix.
Allotment dirichlet_allotment(std::span<const std::size_t> quotas, std::size_t members,
                              double alpha, Draws draws);

struct FewClasses {
  std::size_t samples = 0;
  std::size_t members = 0;
  std::size_t classes = 0;  // of the node set
  std::size_t classes_per_member = 0;
};

// Each member has `classes_per_member` of the classes, in equal parts; together they have all of
// them. REQUIRES: members · classes_per_member ≥ classes ≥ classes_per_member.
Allotment by_class_allotment(const FewClasses& asked, Draws draws);

}  // namespace espalier
