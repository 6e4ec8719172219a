// SPDX-License-Identifier: Apache-2.0
#include "fitting/figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/infinite.h"
#include "realisations/normal_quantile.h"

namespace espalier {
namespace {

constexpr int kLevels = 9;

Answers near_answers(const AnswersAhead& answers) {
  Answers all;
  for (std::size_t h = 0; h < near_horizons(answers); ++h)
    all.insert(all.end(), answers[h].begin(), answers[h].end());
  return all;
}

// Metrics of each fold at each near horizon.
std::vector<Metrics> parts_of(const AnswersAhead& answers, std::size_t folds, Voice voice) {
  std::vector<Metrics> parts;
  for (std::size_t h = 0; h < near_horizons(answers); ++h) {
    for (std::size_t fold = 0; fold < folds; ++fold)
      parts.push_back(measure(judged_by(voice, in_fold(answers[h], fold))));
  }
  return parts;
}

VoiceFigures figures_of(const AnswersAhead& answers, std::size_t folds, Voice voice) {
  VoiceFigures figures{.voice = voice};
  figures.spread = spread_of(parts_of(answers, folds, voice));
  figures.pooled = measure(judged_by(voice, near_answers(answers)));
  for (const Answers& some : answers) figures.by_horizon.push_back(measure(judged_by(voice, some)));
  return figures;
}

// The range of another level, from that of 0.9.
bool is_within(const HeldOut& one, Voice voice, double shrink) {
  const LossRange& said = one.said[position_of(voice)];
  const double way = one.came - said.mean;
  return way > shrink * (said.low - said.mean) - 1e-15 &&
         way < shrink * (said.high - said.mean) + 1e-15;
}

double share_within(const Answers& answers, Voice voice, double shrink) {
  if (answers.empty()) return 0;
  const auto within = std::ranges::count_if(
      answers, [&](const HeldOut& one) { return is_within(one, voice, shrink); });
  return static_cast<double>(within) / static_cast<double>(answers.size());
}

double miss_of(const HeldOut& one) {
  return std::abs(one.came - one.said[position_of(Voice::Calibrated)].mean);
}

}  // namespace

std::size_t near_horizons(const AnswersAhead& answers) {
  return std::min<std::size_t>(answers.size(), kEpochsAhead);
}

std::vector<VoiceFigures> voice_figures(const AnswersAhead& answers, std::size_t folds,
                                        std::span<const Voice> voices) {
  std::vector<VoiceFigures> rows;
  for (const Voice voice : voices) rows.push_back(figures_of(answers, folds, voice));
  return rows;
}

std::vector<Reliability> reliability_of(const AnswersAhead& answers) {
  const Answers all = near_answers(answers);
  std::vector<Reliability> levels;
  for (int i = 1; i <= kLevels; ++i) {
    const double nominal = i / 10.0;
    const double shrink =
        portable_normal_quantile((1 + nominal) / 2) / portable_normal_quantile(0.95);
    levels.push_back({nominal, share_within(all, Voice::Blend, shrink),
                      share_within(all, Voice::Calibrated, shrink)});
  }
  return levels;
}

std::vector<Missed> worst_misses(const AnswersAhead& answers, std::size_t count) {
  std::map<std::size_t, Missed> by_run;
  for (std::size_t h = 0; h < near_horizons(answers); ++h) {
    for (const HeldOut& one : answers[h]) {
      const auto [found, is_new] = by_run.try_emplace(one.run, Missed{h, one});
      if (!is_new && miss_of(one) > miss_of(found->second.answer)) found->second = {h, one};
    }
  }
  std::vector<Missed> worst;
  for (const auto& [run, missed] : by_run) worst.push_back(missed);
  std::ranges::stable_sort(worst, [](const Missed& a, const Missed& b) {
    return miss_of(a.answer) > miss_of(b.answer);
  });
  worst.resize(std::min(worst.size(), count));
  return worst;
}

double range_of_losses(const AnswersAhead& answers) {
  double lowest = kInfinite;
  double highest = -kInfinite;
  for (const Answers& some : answers) {
    for (const HeldOut& one : some) {
      lowest = std::min(lowest, one.came);
      highest = std::max(highest, one.came);
    }
  }
  return std::max(0.0, highest - lowest);
}

}  // namespace espalier
