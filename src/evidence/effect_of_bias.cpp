// SPDX-License-Identifier: Apache-2.0
// The paper's figure 9: what a bias of the estimates for the first model does to pact.
#include <cmath>

#include <fmt/format.h>

#include "evidence/effect_figures.h"
#include "evidence/tally.h"

namespace espalier {
namespace {

constexpr double kBiasShare = 0.2;
constexpr double kSimilar = 0.05;

Variants bias_variants() {
  return {.id = "fig9",
          .title = "Effect of a bias on model L (PACT, fig. 9)",
          .words = {"The decreases that estimators expect of L are made larger or smaller by a "
                    "fifth, after every epoch anew; what they say of M and S stays."},
          .contenders = {contender_named("pact"), pact_with_bias(kBiasShare),
                         pact_with_bias(-kBiasShare)}};
}

std::vector<TargetTrial> bias_trials(const EvidenceInput& input) {
  return variant_trials(input, bias_variants());
}

Exhibit show_bias(const EvidenceInput& input, const Findings& findings) {
  return show_variants(input, findings, bias_variants());
}

Claim similar_claim(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                    const Variants& variants) {
  const EnergyGap up =
      gap_between(findings, regime.id, variants.contenders[1].name, "pact", input.targets);
  const EnergyGap down =
      gap_between(findings, regime.id, variants.contenders[2].name, "pact", input.targets);
  const double apart = std::abs(up.share - down.share);
  const bool known = up.both > 0 && down.both > 0;
  return {.figure = "fig9",
          .source = "PACT, fig. 9",
          .says = fmt::format("biases of both signs cost much the same, within {:.0f} points "
                              "(deadline {})",
                              100 * kSimilar, regime.id),
          .found = fmt::format("{} and {}", gap_text(up), gap_text(down)),
          .verdict = verdict_if(known, apart <= kSimilar),
          .margin = known ? 100 * (kSimilar - apart) : kNoMargin,
          .unit = "points"};
}

// A bias that moved no decision shows nothing: not that pact withstands biases either.
Claim unless_idle(Claim claim, bool is_idle) {
  if (!is_idle) return claim;
  return unsaid(std::move(claim), "the bias changed no decision: every course is the same");
}

std::vector<Claim> claims_about(const EvidenceInput& input, const Findings& findings,
                                const Regime& regime, const Variants& variants) {
  const std::string& up = variants.contenders[1].name;
  const std::string& down = variants.contenders[2].name;
  const std::vector<double> tight{tightest(input)};
  const auto is_idle = [&](const std::string& who, std::span<const double> targets) {
    return are_same_courses(findings, regime.id, who, "pact", targets);
  };
  std::vector<Claim> claims;
  for (const std::string& one : {up, down}) {
    claims.push_back(
        unless_idle(limited_effect_claim(input, findings, regime, variants, one, "pact"),
                    is_idle(one, input.targets)));
    claims.push_back(unless_idle(still_better_claim(input, findings, regime, variants, one),
                                 is_idle(one, tight)));
  }
  claims.push_back(unless_idle(similar_claim(input, findings, regime, variants),
                               is_idle(up, input.targets) && is_idle(down, input.targets)));
  claims.push_back(unless_idle(switch_claim(input, findings, regime, variants, down, "pact", true),
                               is_idle(down, tight)));
  claims.push_back(unless_idle(switch_claim(input, findings, regime, variants, up, "pact", false),
                               is_idle(up, tight)));
  return claims;
}

std::vector<Claim> bias_claims(const EvidenceInput& input, const Findings& findings) {
  const Variants variants = bias_variants();
  std::vector<Claim> claims;
  for (const Regime& regime : input.regimes) {
    const auto some = claims_about(input, findings, regime, variants);
    claims.insert(claims.end(), some.begin(), some.end());
  }
  return claims;
}

}  // namespace

FigureEntry effect_of_bias() {
  return {.id = "fig9",
          .about = "effect of a bias of the estimates for L on pact",
          .estimators = FigureEntry::Estimators::Needed,
          .trials = bias_trials,
          .show = show_bias,
          .claims = bias_claims};
}

}  // namespace espalier
