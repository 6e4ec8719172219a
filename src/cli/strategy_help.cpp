// SPDX-License-Identifier: Apache-2.0
#include "cli/strategy_help.h"

#include <vector>

#include "render/strategy_list.h"
#include "strategies/registry.h"

namespace espalier {

bool is_plea_for_help(const std::string& name) { return name == "help"; }

ExitCode list_strategies(const Console& console) {
  std::vector<StrategyInfo> infos;
  for (const Strategy* strategy : all_strategies()) infos.push_back(strategy->info());
  console.answer(console.format() == Format::Json ? strategies_document(infos)
                                                  : strategies_text(infos, console.ink()));
  return ExitCode::Done;
}

}  // namespace espalier
