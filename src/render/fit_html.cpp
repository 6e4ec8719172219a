// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "render/figures.h"
#include "render/fit_pictures.h"
#include "render/fit_report.h"
#include "render/fit_words.h"
#include "render/html_page.h"

namespace espalier {
namespace {

constexpr double kNominalCoverage = 0.9;

std::string figure(double value) { return fmt::format("{:#.3g}", value); }

std::string relative(double value, double range) {
  return range > 0 ? percent(value / range) : "–";
}

std::string count_of(std::size_t count, const char* thing) {
  return counted(static_cast<long long>(count), thing);
}

double tolerance(Subject about) { return about == Subject::Run ? 0.02 : 0.03; }

std::vector<HtmlPage::Card> cards_of(Subject about, const EstimatorReport& report) {
  const VoiceFigures& used = *used_voice(report);
  const PaperFigures paper = paper_figures(about);
  const double mae = used.spread.mae.mean;
  const double mil = used.spread.mil.mean;
  const double icp = used.spread.icp.mean;
  return {{figure(mae), fmt::format("mean error (MAE); PACT's {}", paper.mae), mae <= paper.mae},
          {figure(mil), fmt::format("length of the range (MIL); PACT's {}", paper.mil),
           mil <= paper.mil},
          {fmt::format("{:.3f}", icp),
           fmt::format("coverage (ICP); wanted 0.90 ± {}", tolerance(about)),
           std::abs(icp - kNominalCoverage) <= tolerance(about)},
          {relative(mae, report.loss_range), "mean error as share of the loss range", true}};
}

void add_table_one(HtmlPage& page, Subject about, const EstimatorReport& report) {
  std::vector<HtmlPage::Row> rows;
  for (const VoiceFigures& row : report.voices) {
    const MetricsSpread& s = row.spread;
    rows.push_back(
        {{std::string(voice_name(about, row.voice)), spread_text(s.mae), spread_text(s.mil),
          coverage_text(s.icp), coverage_text(s.run_icp), relative(s.mae.mean, report.loss_range),
          relative(s.mil.mean, report.loss_range)},
         row.voice == Voice::Calibrated ? "used" : ""});
  }
  const PaperFigures paper = paper_figures(about);
  rows.push_back({{"PACT's, on its own traces", fmt::format("{}", paper.mae),
                   fmt::format("{}", paper.mil), fmt::format("{:.2f}", paper.icp), "", "", ""},
                  "soft"});
  page.table({"held out", "MAE", "MIL", "ICP", "ICP by runs", "MAE / range", "MIL / range"}, rows);
}

void add_horizons(HtmlPage& page, const EstimatorReport& report) {
  std::vector<HtmlPage::Row> rows;
  for (std::size_t h = 0; h < report.horizons.size(); ++h) {
    const Metrics& m = used_voice(report)->by_horizon[h];
    if (m.count == 0) continue;
    rows.push_back({{std::to_string(report.horizons[h]), std::to_string(m.count), figure(m.mae),
                     figure(m.mil), fmt::format("{:.3f}", m.icp), fmt::format("{:.3f}", m.run_icp),
                     fmt::format("{:.3f}", m.above), percent(report.network_share[h]),
                     report.is_guaranteed[h] ? "yes" : "no"}});
  }
  page.table({"epochs ahead", "predictions", "MAE", "MIL", "ICP", "ICP by runs", "above",
              "network's share", "promised"},
             rows);
}

void add_worst(HtmlPage& page, Subject about, const EstimatorReport& report) {
  std::vector<HtmlPage::Row> rows;
  for (const WorstCase& worst : report.worst) {
    const std::string where = about == Subject::Run
                                  ? fmt::format("epoch {} + {}", worst.epoch, worst.ahead)
                                  : fmt::format("{:.3g} → {:.3g}", worst.from, worst.to);
    rows.push_back({{worst.run, where, figure(worst.said.mean),
                     fmt::format("{:.3g} … {:.3g}", worst.said.low, worst.said.high),
                     figure(worst.came), figure(std::abs(worst.came - worst.said.mean))}});
  }
  page.table(
      {"run", about == Subject::Run ? "asked" : "pruned", "expected", "range", "came", "missed by"},
      rows);
}

std::string fit_name(const EstimatorReport& report, std::size_t i) {
  return i + 1 == report.fits.size() ? "kept" : fmt::format("fold {}", i + 1);
}

void add_fits(HtmlPage& page, const EstimatorReport& report) {
  std::vector<HtmlPage::Row> rows;
  for (std::size_t i = 0; i < report.fits.size(); ++i) {
    const NetworkFit& fit = report.fits[i];
    rows.push_back({{fit_name(report, i), std::to_string(fit.learned),
                     std::to_string(fit.validating), std::to_string(fit.judging),
                     std::to_string(fit.last.epoch), std::to_string(fit.last.best_epoch),
                     figure(fit.last.best_validation_loss), std::string(end_name(fit.end))}});
  }
  page.table(
      {"network", "runs learnt from", "validating", "judging", "epochs", "best", "its loss", "end"},
      rows);
}

void add_estimator(HtmlPage& page, Subject about, const EstimatorReport& report) {
  page.head(about == Subject::Run ? "How losses go on" : "What pruning does");
  if (used_voice(report) == nullptr) {
    page.say("Not fitted: " + report.missing);
    return;
  }
  page.cards(cards_of(about, report));
  page.say(
      fmt::format("{} of {}, each asked of estimators that never saw the {}. ± over folds{}. "
                  "Losses span {:.3g}.",
                  count_of(report.questions, "question"), count_of(report.runs, "run"),
                  report.judged_by_seeds ? "run, nor any other of its seed" : "run",
                  about == Subject::Run ? " and 1 to 5 epochs ahead" : "", report.loss_range));
  add_table_one(page, about, report);
  page.list(verdict_sentences(about, report));
}

void add_pictures(HtmlPage& page, const FitResult& result) {
  page.head("Do ranges come true?");
  page.say(
      "Ranges are given for 90 %. For other levels, either side of a range is taken for half a "
      "normal "
      "distribution; so that picture judges the shape that plans assume, too.");
  std::vector<std::string> svgs{reliability_svg(Subject::Run, result.run), coverage_svg(result.run),
                                lengths_svg(result.run)};
  if (used_voice(result.change) != nullptr)
    svgs.push_back(reliability_svg(Subject::Change, result.change));
  page.pictures(svgs);
  add_horizons(page, result.run);
}

void add_samples(HtmlPage& page, const FitResult& result) {
  page.head("Predicted and true");
  page.say(
      "Dark: how the loss went. Coloured: what was expected from the dot on, and the range for 90 "
      "%, by "
      "estimators that never saw this run.");
  std::vector<std::string> svgs;
  for (const SampleCurve& sample : result.samples) svgs.push_back(sample_svg(sample));
  page.pictures(svgs);
}

void add_origins(HtmlPage& page, const FitReport& report) {
  const FitResult& result = report.result;
  page.head("What was left out");
  const auto left = leftover_sentences(result);
  left.empty() ? page.say("Nothing.") : page.list(left);
  page.head("How it was fitted");
  page.say(fmt::format("{} of {} in {}; LSTM of {} units, seed {}; took {}.",
                       count_of(result.rows, "row"), count_of(result.runs, "run"), report.source,
                       report.hidden, report.seed, duration(report.time)));
  add_fits(page, result.run);
  if (used_voice(result.change) == nullptr) return;
  page.say("Networks for prunings:");
  add_fits(page, result.change);
}

}  // namespace

std::string fit_html(const FitReport& report) {
  const FitResult& result = report.result;
  HtmlPage page("Learning about learning",
                report.source + ": how well its losses can be predicted");
  add_estimator(page, Subject::Run, result.run);
  add_estimator(page, Subject::Change, result.change);
  add_pictures(page, result);
  add_samples(page, result);
  page.head("Worst cases");
  add_worst(page, Subject::Run, result.run);
  if (!result.change.worst.empty()) add_worst(page, Subject::Change, result.change);
  add_origins(page, report);
  return page.finish();
}

}  // namespace espalier
