// SPDX-License-Identifier: Apache-2.0
#include "evidence/tally.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "evidence/trials.h"

namespace espalier {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

SheetCell stages_cell(const TryOutcome& outcome) {
  std::string text;
  for (const OutcomeStage& stage : outcome.stages)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stage.model, stage.epochs);
  return text;
}

// Over all targets.
EnergyTally whole_tally(const EvidenceInput& input, const Findings& findings, const Regime& regime,
                        const std::string& who) {
  std::vector<const TryOutcome*> all;
  for (const double target : input.targets) {
    const auto some = outcomes_of(findings, regime.id, who, target);
    all.insert(all.end(), some.begin(), some.end());
  }
  return tally_of(all);
}

bool any_untraced(const EvidenceInput& input, const Findings& findings,
                  std::span<const std::string> contenders) {
  return !untraced_words(input, findings, contenders).empty();
}

std::string untraced_cell(const EnergyTally& tally) {
  if (tally.untraced == 0) return "none";
  return fmt::format("up to {} in {} of {} tries", tally.untraced_epochs, tally.untraced,
                     tally.tried);
}

}  // namespace

EnergyTally tally_of(std::span<const TryOutcome* const> outcomes) {
  EnergyTally tally{.tried = outcomes.size()};
  double sum = 0;
  for (const TryOutcome* outcome : outcomes) {
    if (outcome->untraced_epochs > 0) ++tally.untraced;
    tally.untraced_epochs = std::max(tally.untraced_epochs, outcome->untraced_epochs);
    if (!outcome->reached) continue;
    tally.least = tally.reached == 0 ? outcome->energy : std::min(tally.least, outcome->energy);
    tally.most = std::max(tally.most, outcome->energy);
    sum += outcome->energy;
    ++tally.reached;
  }
  if (tally.reached > 0) tally.mean = sum / static_cast<double>(tally.reached);
  return tally;
}

EnergyGap gap_between(const Findings& findings, const std::string& regime, const std::string& ours,
                      const std::string& theirs, std::span<const double> targets) {
  EnergyGap gap;
  double sum = 0;
  for (const double target : targets) {
    for (const TryOutcome* other : outcomes_of(findings, regime, theirs, target)) {
      for (const TryOutcome* own : outcomes_of(findings, regime, ours, target)) {
        if (own->seed != other->seed || !other->reached) continue;
        if (!own->reached) {
          ++gap.missed;
          continue;
        }
        sum += own->energy / other->energy - 1;
        ++gap.both;
      }
    }
  }
  if (gap.both > 0) gap.share = sum / static_cast<double>(gap.both);
  return gap;
}

ChartSeries energy_series(const Findings& findings, const std::string& regime,
                          const std::string& contender, std::span<const double> targets,
                          std::size_t colour) {
  ChartSeries series{.name = contender, .colour = colour};
  for (const double target : targets) {
    const EnergyTally tally = tally_of(outcomes_of(findings, regime, contender, target));
    const bool is_measured = tally.mean && tally.untraced < tally.tried;
    ChartPoint point{target, is_measured ? *tally.mean : kNone};
    if (is_measured) {
      point.low = tally.least;
      point.high = tally.most;
    }
    series.points.push_back(point);
  }
  return series;
}

bool has_energies(const ChartSeries& series) {
  return std::ranges::any_of(series.points, [](const ChartPoint& p) { return p.low.has_value(); });
}

Sheet overview_sheet(const std::string& name, const EvidenceInput& input, const Findings& findings,
                     std::span<const std::string> contenders) {
  Sheet sheet{.name = name, .columns = {"deadline", "who"}};
  for (const double target : input.targets) sheet.columns.push_back(fmt::format("{:g}", target));
  sheet.columns.emplace_back("reached");
  const bool tells_untraced = any_untraced(input, findings, contenders);
  if (tells_untraced) sheet.columns.emplace_back("untraced epochs");
  for (const Regime& regime : input.regimes) {
    for (const std::string& who : contenders) {
      const EnergyTally whole = whole_tally(input, findings, regime, who);
      if (whole.tried == 0) continue;
      std::vector<SheetCell> row{regime.id, who};
      for (const double target : input.targets)
        row.emplace_back(
            tally_of(outcomes_of(findings, regime.id, who, target)).mean.value_or(kNone));
      row.emplace_back(fmt::format("{} of {}", whole.reached, whole.tried));
      if (tells_untraced) row.emplace_back(untraced_cell(whole));
      sheet.rows.push_back(std::move(row));
    }
  }
  return sheet;
}

std::vector<std::string> untraced_words(const EvidenceInput& input, const Findings& findings,
                                        std::span<const std::string> contenders) {
  std::vector<std::string> words;
  for (const Regime& regime : input.regimes) {
    for (const std::string& who : contenders) {
      const EnergyTally whole = whole_tally(input, findings, regime, who);
      if (whole.untraced == 0) continue;
      words.push_back(fmt::format(
          "Beyond the traces: {} (deadline {}) trained up to {} epochs that nobody traced, in {} "
          "of {} tries. A replayed loss stands still there, a real one would go on falling: what "
          "those tries spent is not measured, it is where replaying ends. Charts leave out a "
          "target where all tries are such.",
          who, regime.id, whole.untraced_epochs, whole.untraced, whole.tried));
    }
  }
  return words;
}

Sheet energy_sheet(const std::string& name, const EvidenceInput& input, const Findings& findings,
                   std::span<const std::string> contenders, std::span<const double> targets) {
  Sheet sheet{.name = name,
              .columns = {"deadline", "who", "target loss", "reached", "tried", "mean energy",
                          "least", "most"},
              .rows = {},
              .is_shown = false};
  for (const Regime& regime : input.regimes) {
    for (const std::string& who : contenders) {
      for (const double target : targets) {
        const EnergyTally tally = tally_of(outcomes_of(findings, regime.id, who, target));
        if (tally.tried == 0) continue;
        sheet.rows.push_back({regime.id, who, target, static_cast<double>(tally.reached),
                              static_cast<double>(tally.tried), tally.mean.value_or(kNone),
                              tally.mean ? tally.least : kNone, tally.mean ? tally.most : kNone});
      }
    }
  }
  return sheet;
}

Sheet try_sheet(const std::string& name, const Findings& findings,
                std::span<const std::string> contenders) {
  Sheet sheet{.name = name,
              .columns = {"deadline", "who", "target loss", "seed", "reached", "energy", "time",
                          "loss", "epochs", "untraced epochs", "stages"},
              .rows = {},
              .is_shown = false};
  for (const TryOutcome& o : findings.outcomes) {
    if (std::ranges::find(contenders, o.contender) == contenders.end()) continue;
    sheet.rows.push_back({o.regime, o.contender, o.target, static_cast<double>(o.seed),
                          std::string(o.reached ? "yes" : "no"), o.energy, o.time, o.loss,
                          static_cast<double>(o.epochs), static_cast<double>(o.untraced_epochs),
                          stages_cell(o)});
  }
  return sheet;
}

std::optional<double> mean_switch(const Findings& findings, const std::string& regime,
                                  const std::string& contender, double target, std::size_t n) {
  double sum = 0;
  double count = 0;
  for (const TryOutcome* outcome : outcomes_of(findings, regime, contender, target)) {
    const auto epochs = outcome->switch_epochs();
    if (epochs.size() <= n) continue;
    sum += epochs[n];
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

bool are_same_courses(const Findings& findings, const std::string& regime, const std::string& one,
                      const std::string& other, std::span<const double> targets) {
  const auto is_same = [](const TryOutcome* a, const TryOutcome* b) {
    return a->seed == b->seed && a->reached == b->reached && a->energy == b->energy &&
           a->stages == b->stages;
  };
  return std::ranges::all_of(targets, [&](double target) {
    return std::ranges::equal(outcomes_of(findings, regime, one, target),
                              outcomes_of(findings, regime, other, target), is_same);
  });
}

std::string gap_text(const EnergyGap& gap) {
  if (gap.both == 0) return fmt::format("nothing to compare, {} missed", gap.missed);
  return fmt::format("{:+.1f} % over {} tries, {} missed", 100 * gap.share, gap.both, gap.missed);
}

Claim with_misses(Claim claim, const EnergyGap& gap) {
  if (claim.verdict != ClaimVerdict::Fails || gap.missed == 0) return claim;
  claim.margin = -static_cast<double>(gap.missed);
  claim.unit = "missed";
  return claim;
}

bool is_alone(const EnergyTally& ours, const EnergyTally& theirs) {
  return ours.reached > 0 && ours.reached == ours.tried && theirs.reached == 0;
}

std::string alone_text(const std::string& theirs, const EnergyTally& ours) {
  return fmt::format("{} has no course that gets there; this one gets there with {} of {} seeds",
                     theirs, ours.reached, ours.tried);
}

double tightest(const EvidenceInput& input) { return *std::ranges::min_element(input.targets); }
double loosest(const EvidenceInput& input) { return *std::ranges::max_element(input.targets); }

std::optional<double> drawn_deadline(const Regime& regime) {
  return regime.binds ? std::optional(regime.deadline.value) : std::nullopt;
}

std::vector<double> some_targets(const EvidenceInput& input) {
  std::vector<double> all = input.targets;
  std::ranges::sort(all);
  std::vector<double> some{all.front()};
  for (const double target : {all[all.size() / 2], all.back()}) {
    if (target != some.back()) some.push_back(target);
  }
  return some;
}

}  // namespace espalier
