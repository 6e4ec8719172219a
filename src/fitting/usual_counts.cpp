// SPDX-License-Identifier: Apache-2.0
#include "fitting/usual_counts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/infinite.h"

namespace espalier {
namespace {

constexpr std::array kCounts{10.0, 40.0, 160.0, 640.0, 1e6};
// Beyond the ends of a 0.9 range, an error counts so many times (Winkler's score).
constexpr double kPenalty = 20;

struct Question {
  std::size_t stage = 0;
  double from = 0;
  std::map<std::size_t, const HeldOut*> at;  // by horizon
};

// By epoch.
using AskedRun = std::map<int, Question>;

std::vector<AskedRun> runs_of(const AnswersAhead& answers) {
  std::map<std::size_t, AskedRun> runs;
  for (std::size_t h = 0; h < answers.size(); ++h) {
    for (const HeldOut& one : answers[h]) {
      Question& question = runs[one.run][one.epoch];
      question.stage = one.stage;
      question.from = one.from;
      question.at[kHorizons[h]] = &one;
    }
  }
  std::vector<AskedRun> all;
  for (auto& [number, run] : runs) all.push_back(std::move(run));
  return all;
}

const LossRange& calibrated(const HeldOut& one) { return one.said[position_of(Voice::Calibrated)]; }

// What had come by `epoch`, oldest first.
std::vector<Recalled> recalled_at(const AskedRun& run, int epoch, std::size_t stage) {
  std::vector<Recalled> recalled;
  auto one = run.lower_bound(epoch - static_cast<int>(kMostRecalled));
  for (; one != run.end() && one->first < epoch; ++one) {
    const auto& [asked, question] = *one;
    if (question.stage != stage) continue;
    const auto known = std::min(static_cast<std::size_t>(epoch - asked), std::size_t{kEpochsAhead});
    const auto next = question.at.upper_bound(known);
    if (next == question.at.begin()) continue;
    const HeldOut& answer = *std::prev(next)->second;
    recalled.push_back({question.from, calibrated(answer), answer.came});
  }
  return recalled;
}

struct CorrectionScores {
  double error = 0;
  double interval = 0;
  double count = 0;

  void add(const LossRange& said, double came) {
    error += std::abs(came - said.mean);
    interval += said.high - said.low +
                kPenalty * (std::max(0.0, said.low - came) + std::max(0.0, came - said.high));
    ++count;
  }
};

using ScoresAhead = std::array<CorrectionScores, kHorizons.size()>;

ScoresAhead scores_with(const std::vector<AskedRun>& runs, const UsualCounts& usual) {
  ScoresAhead scores{};
  for (const AskedRun& run : runs) {
    for (const auto& [epoch, question] : run) {
      const auto recalled = recalled_at(run, epoch, question.stage);
      const RunCorrection correction = learn_correction(recalled, usual);
      for (std::size_t h = 0; h < kHorizons.size(); ++h) {
        const auto answer = question.at.find(kHorizons[h]);
        if (answer == question.at.end()) continue;
        const LossRange& said = calibrated(*answer->second);
        scores[h].add(corrected_at(said, question.from, correction, kHorizons[h]),
                      answer->second->came);
      }
    }
  }
  return scores;
}

// Forecasts that fit to the last digit must not make any other look wild.
constexpr double kLeastSquare = 0.01;

double usual_square(const std::vector<AskedRun>& runs, const UsualCounts& usual) {
  SquareSum all;
  for (const AskedRun& run : runs) {
    for (const auto& [epoch, question] : run) {
      const auto [sum, weight] = squares_of(recalled_at(run, epoch, question.stage), usual);
      all.sum += sum;
      all.weight += weight;
    }
  }
  return all.weight > 0 ? std::max(kLeastSquare, all.sum / all.weight) : 1;
}

// Of the logarithms of the means, so that all horizons count alike.
double sum_of(const ScoresAhead& scores, double CorrectionScores::*score) {
  double sum = 0;
  for (const CorrectionScores& one : scores) {
    if (one.count > 0) sum += std::log(std::max(one.*score / one.count, 1e-12));
  }
  return sum;
}

}  // namespace

UsualCounts choose_usual_counts(const AnswersAhead& answers) {
  const std::vector<AskedRun> runs = runs_of(answers);
  UsualCounts best;
  double least = kInfinite;
  for (const double count : kCounts) {
    const double error = sum_of(scores_with(runs, {count, count}), &CorrectionScores::error);
    if (error < least) best.fall = count;
    least = std::min(least, error);
  }
  best.square = usual_square(runs, best);
  least = kInfinite;
  for (const double count : kCounts) {
    const UsualCounts usual{best.fall, count, best.square};
    const double score = sum_of(scores_with(runs, usual), &CorrectionScores::interval);
    if (score < least) best.width = count;
    least = std::min(least, score);
  }
  return best;
}

}  // namespace espalier
