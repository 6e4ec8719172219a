// SPDX-License-Identifier: Apache-2.0
// What figures 8 and 9 share: variants of pact beside pact itself and StaticLearn.
#pragma once

#include <string>
#include <vector>

#include "evidence/contender.h"
#include "evidence/figures.h"

namespace espalier {

struct Variants {
  std::string id{};                     // of the figure
  std::string title{};                  // of the exhibit
  std::vector<std::string> words{};     // beside the charts
  std::vector<Contender> contenders{};  // without static-learn
  bool has_few_targets = false;         // three of them have to do
};

std::vector<TargetTrial> variant_trials(const EvidenceInput& input, const Variants& variants);
Exhibit show_variants(const EvidenceInput& input, const Findings& findings,
                      const Variants& variants);

// How much more `variant` spends than `usual` over all targets, at most so much.
Claim limited_effect_claim(const EvidenceInput& input, const Findings& findings,
                           const Regime& regime, const Variants& variants,
                           const std::string& variant, const std::string& usual);
// Whether it still spends less than StaticLearn at the tightest target.
Claim still_better_claim(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                         const Variants& variants, const std::string& variant);
// Whether its first switch at the tightest target is later, or no earlier; or the other way round.
Claim switch_claim(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                   const Variants& variants, const std::string& variant, const std::string& usual,
                   bool later);

}  // namespace espalier
