// SPDX-License-Identifier: Apache-2.0
#include "render/strategy_list.h"

#include "render/json.h"
#include "render/names.h"
#include "render/text.h"

namespace espalier {
namespace {

std::string traits(const StrategyInfo& info) {
  return std::string(info.exact ? "proves what it finds; " : "") +
         (info.anytime ? "can be stopped early; " : "") +
         (info.chooses_data ? "chooses data; " : "") +
         (info.promises ? "promises a probability"
                        : std::string("believes the ") + name_of(info.estimator) + " estimate");
}

}  // namespace

std::string strategies_text(const std::vector<StrategyInfo>& strategies, const Ink& ink) {
  std::string text;
  for (const StrategyInfo& info : strategies) {
    text += ink(Style::Bold, info.name) + "\n" + hanging("  ", info.summary) +
            hanging("  ", info.description);
    for (const std::string& line : wrap(traits(info), kPageWidth - 2))
      text += "  " + ink(Style::Dim, line) + "\n";
    text += "\n";
  }
  return text;
}

std::string strategies_document(const std::vector<StrategyInfo>& strategies) {
  Json all = Json::array();
  for (const StrategyInfo& info : strategies) {
    all.push_back({{"name", info.name},
                   {"summary", info.summary},
                   {"description", info.description},
                   {"estimator", name_of(info.estimator)},
                   {"exact", info.exact},
                   {"anytime", info.anytime},
                   {"promises", info.promises},
                   {"chooses_data", info.chooses_data}});
  }
  return ok_document({{"strategies", std::move(all)}});
}

}  // namespace espalier
