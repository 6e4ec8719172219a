// SPDX-License-Identifier: Apache-2.0
#include "io/model_reader.h"

#include <algorithm>

namespace espalier {
namespace {

// Planning looks at all sequences of models: it takes the cube of their number.
constexpr Count kModels{1, 200};

// The way from model `first` along `from` until it ends or meets a model again.
std::vector<std::size_t> lineage(const std::vector<ModelSpec>& models, std::size_t first) {
  std::vector<std::size_t> way{first};
  while (const auto from = models[way.back()].from) {
    way.push_back(from->pos());
    if (std::count(way.begin(), way.end(), from->pos()) > 1) break;
  }
  return way;
}

// A cycle is reported at its first model in the file.
void check_cycles(const std::vector<ModelSpec>& models, const MapReader& top, Report& report) {
  for (std::size_t first = 0; first < models.size(); ++first) {
    const std::vector<std::size_t> way = lineage(models, first);
    const bool is_cycle = way.size() > 1 && way.back() == first;
    if (!is_cycle || *std::min_element(way.begin(), way.end()) != first) continue;
    std::string names = models[first].name;
    for (auto next = way.begin() + 1; next != way.end(); ++next)
      names += " → " + models[*next].name;
    const Field section = *top.value("models");
    const DocumentNode& from = *section.node->find(models[first].name)->find("from");
    report.error(from.mark, section.path_of(models[first].name) + ".from",
                 "closes a cycle: " + names, "one model, the full DNN, has no from");
  }
}

}  // namespace

void read_model_names(const MapReader& top, NameTable& names, Report& report) {
  const auto section = top.value("models");
  if (!section) return;
  for_each_name(*section, kModels, report,
                [&](const Entry& entry, const Field&) { names.add(entry.key); });
}

std::vector<ModelSpec> read_models(const MapReader& top, const Names& names, Report& report) {
  std::vector<ModelSpec> models;
  for (const std::string& name : names.models.names()) {
    const Field section = *top.value("models");
    const MapReader map({section.node->find(name), section.path_of(name)}, Shape::Model, report);
    models.push_back({name, read_model(map, "from", names, report), map.number("prune")});
  }
  check_cycles(models, top, report);
  return models;
}

}  // namespace espalier
