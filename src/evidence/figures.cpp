// SPDX-License-Identifier: Apache-2.0
#include "evidence/figures.h"

#include <algorithm>

#include "core/error.h"
#include "core/near_miss.h"

namespace espalier {
namespace {

std::vector<std::string> figure_ids() {
  std::vector<std::string> ids;
  for (const FigureEntry& figure : all_figures()) ids.push_back(figure.id);
  return ids;
}

void refuse_unknown_figure(const std::string& name) {
  const auto ids = figure_ids();
  if (std::ranges::find(ids, name) != ids.end()) return;
  std::string all;
  for (const std::string& id : ids) all += (all.empty() ? "" : ", ") + id;
  throw Error(ErrorCode::BadInput, "there is no figure '" + name + "'" + did_you_mean(name, ids),
              "the figures are " + all);
}

}  // namespace

const std::vector<FigureEntry>& all_figures() {
  static const std::vector<FigureEntry> all{
      table_one(),       pruning_curves(), predicted_losses(), energy_by_target(),
      energy_by_model(), effect_of_grid(), effect_of_bias(),   effect_of_decisions(),
      promises_kept(),   replay_error(),
  };
  return all;
}

std::vector<const FigureEntry*> figures_named(std::span<const std::string> names) {
  for (const std::string& name : names) refuse_unknown_figure(name);
  std::vector<const FigureEntry*> figures;
  for (const FigureEntry& figure : all_figures()) {
    if (names.empty() || std::ranges::find(names, figure.id) != names.end())
      figures.push_back(&figure);
  }
  return figures;
}

}  // namespace espalier
