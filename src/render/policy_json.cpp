// SPDX-License-Identifier: Apache-2.0
#include "render/policy_json.h"

#include "render/json.h"

namespace espalier {
namespace {

// [index of the first time, placement or −1] for every change along the row.
Json row_json(const PolicyTable& table, std::size_t luck, std::size_t placement, std::size_t loss) {
  Json row = Json::array();
  for (std::size_t t = 0; t < table.times.size(); ++t) {
    const int choice = table.at(luck, placement, loss, t);
    if (row.empty() || row.back()[1] != choice) row.push_back(Json::array({t, choice}));
  }
  return row;
}

}  // namespace

std::string policy_document(const Problem& problem, const PolicyTable& table) {
  Json document{{"schema_version", 1},     {"losses", table.losses}, {"times", table.times},
                {"luck", table.luck},      {"miss", table.miss},     {"placements", Json::array()},
                {"actions", Json::array()}};
  for (std::size_t p = 0; p < table.placements; ++p)
    document["placements"].push_back(problem.name_of(PlacementId{static_cast<std::int32_t>(p)}));
  for (std::size_t luck = 0; luck < table.luck.size(); ++luck) {
    Json of_luck = Json::array();
    for (std::size_t p = 0; p < table.placements; ++p) {
      Json of_placement = Json::array();
      for (std::size_t loss = 0; loss < table.losses.size(); ++loss)
        of_placement.push_back(row_json(table, luck, p, loss));
      of_luck.push_back(std::move(of_placement));
    }
    document["actions"].push_back(std::move(of_luck));
  }
  return document.dump() + "\n";
}

}  // namespace espalier
