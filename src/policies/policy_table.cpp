// SPDX-License-Identifier: Apache-2.0
#include "policies/policy_table.h"

#include "core/parallel.h"

namespace espalier {

PolicyTable table_of(const GridPolicy& policy) {
  const PolicyMap& map = policy.map();
  PolicyTable table;
  table.miss = policy.miss();
  table.placements = map.problem().size();
  const auto& luck = map.luck();
  table.luck.assign(luck.begin(), luck.front() == luck.back() ? luck.begin() + 1 : luck.end());
  for (std::size_t i = 0; i < map.losses().size(); ++i)
    table.losses.push_back(map.losses().knot(i));
  for (std::size_t i = 0; i < map.time_knots(); ++i) table.times.push_back(map.time_knot(i).value);
  const std::size_t rows = table.luck.size() * table.placements * table.losses.size();
  table.choice.resize(rows * table.times.size());
  for_each_index(rows, 0, [&](unsigned, std::size_t row) {
    const std::size_t place = row / table.losses.size();
    State state{.placement = {static_cast<std::int32_t>(place % table.placements)},
                .loss = Loss{table.losses[row % table.losses.size()]}};
    for (std::size_t i = 0; i < table.times.size(); ++i) {
      state.time = Seconds{table.times[i]};
      const auto to = policy.choose(state, place / table.placements);
      table.choice[row * table.times.size() + i] =
          to ? static_cast<std::int16_t>(to->index) : std::int16_t{-1};
    }
  });
  return table;
}

}  // namespace espalier
