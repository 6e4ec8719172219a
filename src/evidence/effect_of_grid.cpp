// SPDX-License-Identifier: Apache-2.0
// The paper's figure 8: what a coarser grid of losses does to pact.
#include "evidence/effect_figures.h"

namespace espalier {
namespace {

constexpr double kFineStep = 0.001;
constexpr double kMiddleStep = 0.003;
constexpr double kCoarseStep = 0.01;  // ten times the finest

Variants grid_variants() {
  return {.id = "fig8",
          .title = "Effect of the resolution γ_ℓ (PACT, fig. 8)",
          .words = {"pact plans on a grid of losses and rounds up: the coarser the grid, the less "
                    "an epoch seems to bring. Its steps here are 0.001, three and ten times that."},
          .contenders = {pact_with_loss_step(kFineStep), pact_with_loss_step(kMiddleStep),
                         pact_with_loss_step(kCoarseStep)}};
}

std::vector<TargetTrial> grid_trials(const EvidenceInput& input) {
  return variant_trials(input, grid_variants());
}

Exhibit show_grid(const EvidenceInput& input, const Findings& findings) {
  return show_variants(input, findings, grid_variants());
}

std::vector<Claim> grid_claims(const EvidenceInput& input, const Findings& findings) {
  const Variants variants = grid_variants();
  const std::string& fine = variants.contenders.front().name;
  const std::string& coarse = variants.contenders.back().name;
  std::vector<Claim> claims;
  for (const Regime& regime : input.regimes) {
    claims.push_back(limited_effect_claim(input, findings, regime, variants, coarse, fine));
    claims.push_back(still_better_claim(input, findings, regime, variants, coarse));
    claims.push_back(switch_claim(input, findings, regime, variants, coarse, fine, true));
  }
  return claims;
}

}  // namespace

FigureEntry effect_of_grid() {
  return {.id = "fig8",
          .about = "effect of the resolution of losses on pact",
          .estimators = FigureEntry::Estimators::Needed,
          .trials = grid_trials,
          .show = show_grid,
          .claims = grid_claims};
}

}  // namespace espalier
