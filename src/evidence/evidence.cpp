// SPDX-License-Identifier: Apache-2.0
#include "evidence/evidence.h"

#include "core/error.h"
#include "evidence/trials.h"

namespace espalier {
namespace {

std::vector<TargetTrial> all_trials(std::span<const FigureEntry* const> figures,
                                    const EvidenceInput& input) {
  std::vector<TargetTrial> trials;
  for (const FigureEntry* figure : figures) {
    if (figure->trials == nullptr) continue;
    const auto some = figure->trials(input);
    trials.insert(trials.end(), some.begin(), some.end());
  }
  return without_repeats(std::move(trials), input);
}

void require_what_is_needed(const FigureEntry& figure, const EvidenceInput& input) {
  ESPALIER_CHECK(figure.estimators != FigureEntry::Estimators::Needed ||
                 input.forecasters.size() == input.splits.size());
  ESPALIER_CHECK(!figure.needs_rules || input.ruled.has_value());
}

}  // namespace

std::size_t piece_count(std::span<const FigureEntry* const> figures, const EvidenceInput& input) {
  std::size_t count = try_count(all_trials(figures, input), input);
  for (const FigureEntry* figure : figures) count += figure->pieces;
  return count;
}

std::optional<Evidence> gather_evidence(std::span<const FigureEntry* const> figures,
                                        const EvidenceInput& input, const FindingWatch& watch) {
  Findings findings;
  for (const FigureEntry* figure : figures) {
    require_what_is_needed(*figure, input);
    if (figure->find != nullptr) figure->find(input, findings, watch);
  }
  findings.outcomes = hold_trials(all_trials(figures, input), input, watch.stop, watch.done);
  if (watch.stop.stop_requested()) return std::nullopt;
  Evidence evidence;
  for (const FigureEntry* figure : figures) {
    evidence.exhibits.push_back(figure->show(input, findings));
    if (figure->claims == nullptr) continue;
    const auto claims = figure->claims(input, findings);
    evidence.claims.insert(evidence.claims.end(), claims.begin(), claims.end());
  }
  return evidence;
}

}  // namespace espalier
