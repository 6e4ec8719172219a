// SPDX-License-Identifier: Apache-2.0
#include "courses/data_choice.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace espalier {
namespace {

using Choices = std::vector<std::optional<DataOptionId>>;

// What each node set may use.
std::vector<Choices> choices_of(const Problem& problem) {
  std::vector<Choices> all(problem.node_set_count());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const NodeSetId nodes{static_cast<std::int32_t>(n)};
    for (std::size_t d = 0; d < problem.data_option_count(nodes); ++d)
      all[n].push_back(DataOptionId{static_cast<std::int32_t>(d)});
    const bool costs_once =
        std::any_of(problem.placements().begin(), problem.placements().end(),
                    [&](const Training& t) { return t.at.nodes == nodes && t.once_mark != 0; });
    if (costs_once) all[n].push_back(std::nullopt);
  }
  return all;
}

DataSelection first_of(const std::vector<Choices>& choices) {
  DataSelection selection;
  for (const Choices& c : choices) selection.push_back(c.front());
  return selection;
}

}  // namespace

std::vector<DataSelection> all_selections(const Problem& problem, std::size_t most) {
  const std::vector<Choices> choices = choices_of(problem);
  std::vector<DataSelection> all{{}};
  for (const Choices& of_set : choices) {
    if (all.size() * of_set.size() > most) return {};
    std::vector<DataSelection> longer;
    for (const DataSelection& selection : all) {
      for (const auto& choice : of_set) {
        longer.push_back(selection);
        longer.back().push_back(choice);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::vector<DataSelection> promising_selections(
    const Problem& problem, const std::function<double(const DataSelection&)>& energy_of) {
  const std::vector<Choices> choices = choices_of(problem);
  std::vector<DataSelection> way{first_of(choices)};
  double energy = energy_of(way.back());
  for (;;) {
    std::optional<DataSelection> best;
    for (std::size_t n = 0; n < choices.size(); ++n) {
      for (const auto& choice : choices[n]) {
        DataSelection changed = way.back();
        if (changed[n] == choice) continue;
        changed[n] = choice;
        const double with = energy_of(changed);
        if (!(with < energy)) continue;
        energy = with;
        best = std::move(changed);
      }
    }
    if (!best) break;
    way.push_back(std::move(*best));
  }
  std::reverse(way.begin(), way.end());  // best first
  return way;
}

bool has_data_choice(const Problem& problem) {
  const std::vector<Choices> choices = choices_of(problem);
  return std::any_of(choices.begin(), choices.end(),
                     [](const Choices& of_set) { return of_set.size() > 1; });
}

}  // namespace espalier
