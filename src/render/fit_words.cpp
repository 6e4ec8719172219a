// SPDX-License-Identifier: Apache-2.0
#include "render/fit_words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "render/figures.h"

namespace espalier {
namespace {

// Where another one makes hardly any error, shares say nothing.
constexpr double kFarMore = 100;

using Names = std::array<std::string_view, kVoices>;

constexpr Names kRunNames{"last difference", "power law", "network", "blend of both",
                          "blend, calibrated"};
constexpr Names kChangeNames{"nothing happens", "mean jump", "network", "network",
                             "network, calibrated"};
constexpr Names kRunKeys{"last_difference", "power_law", "network", "blend", "calibrated"};
constexpr Names kChangeKeys{"nothing_happens", "mean_jump", "network", "blend", "calibrated"};

void add_if(std::vector<std::string>& sentences, std::size_t count, const char* thing,
            const char* what) {
  if (count > 0) sentences.push_back(counted(static_cast<long long>(count), thing) + " " + what);
}

std::string coverage_sentence(const EstimatorReport& report) {
  const Metrics& pooled = used_voice(report)->pooled;
  std::string text = fmt::format(
      "ranges of 90 % held {:.1f} % of the losses of runs that nobody had "
      "learnt from, {:.1f} % with all runs counting alike; {:.1f} % were above",
      100 * pooled.icp, 100 * pooled.run_icp, 100 * pooled.above);
  if (std::ranges::find(report.is_guaranteed, false) != report.is_guaranteed.end())
    text += report.judged_by_seeds
                ? "; with fewer than 19 seeds that is an estimate, not a promise"
                : "; nothing is promised with so few runs: the widest miss so far is taken";
  return text;
}

std::string beaten_sentence(Subject about, const EstimatorReport& report) {
  const double mine = used_voice(report)->pooled.mae;
  const auto compared = [&](Voice voice) {
    const double theirs = find_voice(report, voice)->pooled.mae;
    const std::string how_much = theirs > mine              ? percent(1 - mine / theirs) + " less"
                                 : mine > kFarMore * theirs ? "far more"
                                                            : percent(mine / theirs - 1) + " more";
    return fmt::format("{} than {}", how_much, voice_name(about, voice));
  };
  return "mean error: " + compared(Voice::Naive) + ", " + compared(Voice::Rule);
}

}  // namespace

std::string_view voice_name(Subject about, Voice voice) {
  return (about == Subject::Run ? kRunNames : kChangeNames)[position_of(voice)];
}

std::string_view voice_key(Subject about, Voice voice) {
  return (about == Subject::Run ? kRunKeys : kChangeKeys)[position_of(voice)];
}

std::string_view end_name(FitEnd end) {
  constexpr std::array<std::string_view, 4> kNames{"settled", "limit", "stopped", "divergent"};
  return kNames[static_cast<std::size_t>(end)];
}

PaperFigures paper_figures(Subject about) {
  return about == Subject::Run ? PaperFigures{0.0173, 0.078, 0.90} : PaperFigures{0.13, 0.52, 0.87};
}

std::string spread_text(const MeanDeviation& spread) {
  return fmt::format("{:#.3g} ± {:#.2g}", spread.mean, spread.deviation);
}

std::string coverage_text(const MeanDeviation& spread) {
  return fmt::format("{:.3f} ± {:.3f}", spread.mean, spread.deviation);
}

const VoiceFigures* find_voice(const EstimatorReport& report, Voice voice) {
  const auto found = std::ranges::find(report.voices, voice, &VoiceFigures::voice);
  return found == report.voices.end() ? nullptr : &*found;
}

const VoiceFigures* used_voice(const EstimatorReport& report) {
  return find_voice(report, Voice::Calibrated);
}

std::vector<std::string> leftover_sentences(const FitResult& result) {
  std::vector<std::string> sentences;
  const Leftovers& left = result.leftovers;
  add_if(sentences, left.lost_losses, "row", "without a finite loss: left out");
  add_if(sentences, left.missing_epochs, "epoch", "missing: bridged in histories, never a target");
  add_if(sentences, left.cut_beginnings, "run", "grown from runs that are not there");
  add_if(sentences, left.lone_changes, "pruning", "without the loss before: left out");
  add_if(sentences, result.runs - result.run.runs, "run",
         "without two epochs that follow each other: history for others at most");
  return sentences;
}

std::vector<std::string> verdict_sentences(Subject about, const EstimatorReport& report) {
  if (used_voice(report) == nullptr) return {"not fitted: " + report.missing};
  return {coverage_sentence(report), beaten_sentence(about, report)};
}

}  // namespace espalier
