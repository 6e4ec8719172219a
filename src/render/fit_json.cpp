// SPDX-License-Identifier: Apache-2.0
#include "render/fit_report.h"
#include "render/fit_words.h"
#include "render/json.h"

namespace espalier {
namespace {

Json metrics_json(const Metrics& m) {
  return {{"mae", m.mae},     {"mil", m.mil},    {"icp", m.icp}, {"icp_by_runs", m.run_icp},
          {"above", m.above}, {"count", m.count}};
}

Json spread_json(const MeanDeviation& spread) {
  return {{"mean", spread.mean}, {"deviation", spread.deviation}};
}

Json relative_json(const EstimatorReport& report, const VoiceFigures& row) {
  if (!(report.loss_range > 0)) return {};
  return {{"mae", row.pooled.mae / report.loss_range}, {"mil", row.pooled.mil / report.loss_range}};
}

Json by_horizon_json(const EstimatorReport& report, const VoiceFigures& row) {
  Json all = Json::array();
  for (std::size_t h = 0; h < report.horizons.size(); ++h) {
    Json one = {{"ahead", report.horizons[h]}};
    one.update(metrics_json(row.by_horizon[h]));
    all.push_back(std::move(one));
  }
  return all;
}

Json voices_json(Subject about, const EstimatorReport& report) {
  Json rows = Json::array();
  for (const VoiceFigures& row : report.voices) {
    Json one = {{"name", voice_key(about, row.voice)},
                {"mae", spread_json(row.spread.mae)},
                {"mil", spread_json(row.spread.mil)},
                {"icp", spread_json(row.spread.icp)},
                {"icp_by_runs", spread_json(row.spread.run_icp)},
                {"pooled", metrics_json(row.pooled)},
                {"relative_to_loss_range", relative_json(report, row)}};
    if (about == Subject::Run) one["by_horizon"] = by_horizon_json(report, row);
    rows.push_back(std::move(one));
  }
  return rows;
}

Json reliability_json(const EstimatorReport& report) {
  Json levels = Json::array();
  for (const Reliability& r : report.reliability)
    levels.push_back({{"nominal", r.nominal}, {"raw", r.raw}, {"calibrated", r.calibrated}});
  return levels;
}

Json range_json(const LossRange& range) {
  return {{"low", range.low}, {"mean", range.mean}, {"high", range.high}};
}

Json worst_json(Subject about, const EstimatorReport& report) {
  Json cases = Json::array();
  for (const WorstCase& worst : report.worst) {
    Json one = {{"run", worst.run}};
    if (about == Subject::Run) {
      one.update({{"epoch", worst.epoch}, {"ahead", worst.ahead}});
    } else {
      one.update({{"from", worst.from}, {"to", worst.to}});
    }
    one.update({{"said", range_json(worst.said)}, {"came", worst.came}});
    cases.push_back(std::move(one));
  }
  return cases;
}

Json fits_json(const EstimatorReport& report) {
  Json fits = Json::array();
  for (const NetworkFit& fit : report.fits)
    fits.push_back({{"learned_runs", fit.learned},
                    {"validating_runs", fit.validating},
                    {"judging_runs", fit.judging},
                    {"epochs", fit.last.epoch},
                    {"best_epoch", fit.last.best_epoch},
                    {"validation_loss", fit.last.best_validation_loss},
                    {"end", end_name(fit.end)}});
  return fits;
}

Json paper_json(Subject about) {
  const PaperFigures paper = paper_figures(about);
  return {{"mae", paper.mae}, {"mil", paper.mil}, {"icp", paper.icp}};
}

Json estimator_json(Subject about, const EstimatorReport& report) {
  if (report.voices.empty()) return {{"fitted", false}, {"missing", report.missing}};
  Json json = {{"fitted", true},
               {"runs", report.runs},
               {"questions", report.questions},
               {"folds", report.folds},
               {"judged_by_seeds", report.judged_by_seeds},
               {"loss_range", report.loss_range},
               {"estimators", voices_json(about, report)},
               {"paper", paper_json(about)},
               {"is_guaranteed", report.is_guaranteed},
               {"reliability", reliability_json(report)},
               {"worst", worst_json(about, report)},
               {"fits", fits_json(report)}};
  if (about == Subject::Run) json["network_share"] = report.network_share;
  return json;
}

Json leftovers_json(const Leftovers& left) {
  return {{"lost_losses", left.lost_losses},
          {"missing_epochs", left.missing_epochs},
          {"cut_beginnings", left.cut_beginnings},
          {"lone_changes", left.lone_changes}};
}

}  // namespace

std::string fit_document(const FitReport& report) {
  const FitResult& result = report.result;
  return ok_document({{"traces", report.source},
                      {"rows", result.rows},
                      {"runs", result.runs},
                      {"seed", report.seed},
                      {"hidden", report.hidden},
                      {"seconds", report.time.value},
                      {"run", estimator_json(Subject::Run, result.run)},
                      {"change", estimator_json(Subject::Change, result.change)},
                      {"left_out", leftovers_json(result.leftovers)},
                      {"output", report.output},
                      {"report", report.page.empty() ? Json() : Json(report.page)}});
}

}  // namespace espalier
