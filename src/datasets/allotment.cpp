// SPDX-License-Identifier: Apache-2.0
#include "datasets/allotment.h"

#include <algorithm>
#include <numeric>

#include "core/error.h"
#include "core/portable_math.h"

namespace espalier {
namespace {

// A member's mix; not normalised, never 0.
std::vector<double> draw_mix(std::size_t classes, double alpha, Draws& draws) {
  std::vector<double> mix(classes);
  for (double& weight : mix) weight = draws.log_gamma(alpha);
  const double largest = *std::max_element(mix.begin(), mix.end());
  for (double& weight : mix) weight = portable_exp(weight - largest);
  return mix;
}

// A class by the mix, among those of which there is one left.
std::size_t draw_class(const std::vector<double>& mix, const std::vector<std::size_t>& left,
                       Draws& draws) {
  double total = 0;
  for (std::size_t i = 0; i < mix.size(); ++i) total += left[i] > 0 ? mix[i] : 0;
  double point = draws.uniform() * total;
  std::size_t last = mix.size();
  for (std::size_t i = 0; i < mix.size(); ++i) {
    if (left[i] == 0) continue;
    last = i;
    point -= mix[i];
    if (point < 0) break;
  }
  ESPALIER_CHECK(last < mix.size());
  return last;
}

std::vector<std::size_t> drawn_order(std::size_t count, Draws& draws) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, draws);
  return order;
}

}  // namespace

std::size_t even_part(std::size_t samples, std::size_t members, std::size_t member) {
  return samples / members + (member < samples % members ? 1 : 0);
}

Allotment iid_allotment(std::span<const std::size_t> quotas, std::size_t members) {
  Allotment allotment(members, std::vector<std::size_t>(quotas.size()));
  std::size_t next = 0;  // whose turn it is, so that the odd images do not all go to the same
  for (std::size_t i = 0; i < quotas.size(); ++i) {
    for (std::size_t m = 0; m < members; ++m) {
      allotment[(next + m) % members][i] = even_part(quotas[i], members, m);
    }
    next = (next + quotas[i]) % members;
  }
  return allotment;
}

Allotment dirichlet_allotment(std::span<const std::size_t> quotas, std::size_t members,
                              double alpha, Draws draws) {
  std::vector<std::vector<double>> mixes;
  for (std::size_t m = 0; m < members; ++m) mixes.push_back(draw_mix(quotas.size(), alpha, draws));
  std::vector<std::size_t> left(quotas.begin(), quotas.end());
  const std::size_t samples = std::accumulate(left.begin(), left.end(), std::size_t{0});
  Allotment allotment(members, std::vector<std::size_t>(quotas.size()));
  for (std::size_t i = 0; i < samples; ++i) {
    const std::size_t chosen = draw_class(mixes[i % members], left, draws);
    ++allotment[i % members][chosen];
    --left[chosen];
  }
  return allotment;
}

Allotment by_class_allotment(const FewClasses& asked, Draws draws) {
  ESPALIER_CHECK(asked.classes_per_member <= asked.classes);
  ESPALIER_CHECK(asked.members * asked.classes_per_member >= asked.classes);
  const std::vector<std::size_t> order = drawn_order(asked.classes, draws);
  Allotment allotment(asked.members, std::vector<std::size_t>(asked.classes));
  for (std::size_t m = 0; m < asked.members; ++m) {
    const std::size_t samples = even_part(asked.samples, asked.members, m);
    for (std::size_t j = 0; j < asked.classes_per_member; ++j) {
      const std::size_t chosen = order[(m * asked.classes_per_member + j) % asked.classes];
      allotment[m][chosen] = even_part(samples, asked.classes_per_member, j);
    }
  }
  return allotment;
}

}  // namespace espalier
