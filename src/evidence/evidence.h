// SPDX-License-Identifier: Apache-2.0
// Figures and claims, from traces and estimators.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "evidence/figures.h"

namespace espalier {

struct Evidence {
  std::vector<Exhibit> exhibits{};
  std::vector<Claim> claims{};
};

// How often FindingWatch::done is called, at most.
std::size_t piece_count(std::span<const FigureEntry* const> figures, const EvidenceInput& input);

// What several figures need is found out once. Deterministic, with any number of workers. Nothing
// if it was stopped. REQUIRES: the input has what the figures need.
std::optional<Evidence> gather_evidence(std::span<const FigureEntry* const> figures,
                                        const EvidenceInput& input, const FindingWatch& watch);

}  // namespace espalier
