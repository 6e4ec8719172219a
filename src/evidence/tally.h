// SPDX-License-Identifier: Apache-2.0
// Outcomes in a few numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evidence/evidence_input.h"
#include "render/exhibit.h"

namespace espalier {

// Energies of those that reached the goal; nothing where none did.
struct EnergyTally {
  std::size_t tried = 0;
  std::size_t reached = 0;
  std::optional<double> mean{};
  double least = 0;
  double most = 0;
  std::size_t untraced = 0;  // tries with epochs that nobody traced
  int untraced_epochs = 0;   // the most in one of them
};
EnergyTally tally_of(std::span<const TryOutcome* const> outcomes);

// How much more one spends than another, at the same targets, with the same seeds.
struct EnergyGap {
  double share = 0;        // mean over what both reached: 0.05 is 5 % more
  std::size_t both = 0;    // so many
  std::size_t missed = 0;  // the first one missed what the other reached

  bool is_known() const { return both + missed > 0; }
};
EnergyGap gap_between(const Findings& findings, const std::string& regime, const std::string& ours,
                      const std::string& theirs, std::span<const double> targets);

// Mean energy against the target, with what seeds span as a band; broken where every try went
// beyond the traces.
ChartSeries energy_series(const Findings& findings, const std::string& regime,
                          const std::string& contender, std::span<const double> targets,
                          std::size_t colour);

bool has_energies(const ChartSeries& series);

// One row for each contender: mean energies by target, how often it got there and, if anybody did,
// how far it went beyond the traces.
Sheet overview_sheet(const std::string& name, const EvidenceInput& input, const Findings& findings,
                     std::span<const std::string> contenders);

// A sentence for each contender and deadline of which tries went beyond the traces: a replayed loss
// stands still there.
std::vector<std::string> untraced_words(const EvidenceInput& input, const Findings& findings,
                                        std::span<const std::string> contenders);

// One row for each target and contender that tried, over seeds; for the CSV alone.
Sheet energy_sheet(const std::string& name, const EvidenceInput& input, const Findings& findings,
                   std::span<const std::string> contenders, std::span<const double> targets);

// One row for each try of these.
Sheet try_sheet(const std::string& name, const Findings& findings,
                std::span<const std::string> contenders);

// Mean epoch of the n-th switch (0: the first) of those that made it; nothing if none did.
std::optional<double> mean_switch(const Findings& findings, const std::string& regime,
                                  const std::string& contender, double target, std::size_t n);

// Whether two went the same way at all of these targets, with every seed.
bool are_same_courses(const Findings& findings, const std::string& regime, const std::string& one,
                      const std::string& other, std::span<const double> targets);

// "+3.2 % over 28 tries, 2 missed"
std::string gap_text(const EnergyGap& gap);

// A claim about such a gap; where something was missed, that is by how much it fails.
Claim with_misses(Claim claim, const EnergyGap& gap);

// Whether one always gets there and the other has no course that does; and how that is told.
bool is_alone(const EnergyTally& ours, const EnergyTally& theirs);
std::string alone_text(const std::string& theirs, const EnergyTally& ours);

double tightest(const EvidenceInput& input);
double loosest(const EvidenceInput& input);
// When it is over, where that keeps anybody from anything.
std::optional<double> drawn_deadline(const Regime& regime);
// The tightest, the middle and the loosest.
std::vector<double> some_targets(const EvidenceInput& input);

}  // namespace espalier
