// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "render/figures.h"
#include "render/fit_report.h"
#include "render/fit_words.h"
#include "render/sections.h"
#include "render/table.h"
#include "render/text.h"

namespace espalier {
namespace {

std::string share_of(double value, double range) {
  return range > 0 ? percent(value / range) : "–";
}

Table figures_table(Subject about, const EstimatorReport& report) {
  Table table({{"held out"},
               {"MAE", Align::Right},
               {"MIL", Align::Right},
               {"ICP", Align::Right},
               {"MAE/range", Align::Right},
               {"MIL/range", Align::Right}});
  for (const VoiceFigures& row : report.voices) {
    const bool is_used = row.voice == Voice::Calibrated;
    const MetricsSpread& spread = row.spread;
    table.add({{std::string(voice_name(about, row.voice)), is_used ? Style::Bold : Style::Plain},
               {spread_text(spread.mae), is_used ? Style::Bold : Style::Plain},
               {spread_text(spread.mil), is_used ? Style::Bold : Style::Plain},
               {coverage_text(spread.icp), is_used ? Style::Bold : Style::Plain},
               {share_of(spread.mae.mean, report.loss_range)},
               {share_of(spread.mil.mean, report.loss_range)}});
  }
  const PaperFigures paper = paper_figures(about);
  table.add_rule();
  table.add({{"PACT's, on its own traces", Style::Dim},
             {fmt::format("{}", paper.mae), Style::Dim},
             {fmt::format("{}", paper.mil), Style::Dim},
             {fmt::format("{:.2f}", paper.icp), Style::Dim},
             {"", Style::Dim},
             {"", Style::Dim}});
  return table;
}

Table horizons_table(const EstimatorReport& report) {
  Table table({{"epochs ahead", Align::Right},
               {"predictions", Align::Right},
               {"MAE", Align::Right},
               {"MIL", Align::Right},
               {"ICP", Align::Right},
               {"by runs", Align::Right},
               {"above", Align::Right},
               {"network's share", Align::Right}});
  const VoiceFigures& used = *used_voice(report);
  for (std::size_t h = 0; h < report.horizons.size(); ++h) {
    const Metrics& m = used.by_horizon[h];
    if (m.count == 0) continue;
    table.add({{std::to_string(report.horizons[h])},
               {std::to_string(m.count)},
               {fmt::format("{:#.3g}", m.mae)},
               {fmt::format("{:#.3g}", m.mil)},
               {fmt::format("{:.3f}", m.icp)},
               {fmt::format("{:.3f}", m.run_icp)},
               {fmt::format("{:.3f}", m.above)},
               {percent(report.network_share[h])}});
  }
  return table;
}

std::string section(Subject about, const EstimatorReport& report, const Ink& ink) {
  const char* what = about == Subject::Run ? "how losses go on, 1 to 5 epochs ahead"
                                           : "the loss right after a pruning";
  std::string text = "\n" + ink(Style::Bold, what);
  if (used_voice(report) == nullptr) {
    return text + "\n" + hanging("  ", verdict_sentences(about, report).front());
  }
  text += ink(Style::Dim, fmt::format(" · {} of {}, {}{}",
                                      counted(static_cast<long long>(report.questions), "question"),
                                      counted(static_cast<long long>(report.runs), "run"),
                                      counted(static_cast<long long>(report.folds), "fold"),
                                      report.judged_by_seeds ? " of whole seeds" : "")) +
          "\n";
  text += figures_table(about, report).text(ink);
  if (about == Subject::Run) text += "\n" + horizons_table(report).text(ink);
  for (const std::string& sentence : verdict_sentences(about, report))
    text += hanging("  ", sentence);
  return text;
}

std::vector<std::string> notes_of(const FitReport& report) {
  std::vector<std::string> notes = leftover_sentences(report.result);
  notes.push_back(
      "MAE: mean error; MIL: mean length of the 90 % range; ICP: share of losses within "
      "it; ± over folds and epochs ahead");
  std::string written = "written to " + report.output;
  if (!report.page.empty()) written += ", the report to " + report.page;
  notes.push_back(written + "; took " + duration(report.time));
  return notes;
}

}  // namespace

std::string fit_text(const FitReport& report, const Ink& ink) {
  const FitResult& result = report.result;
  std::string text =
      ink(Style::Bold, printable(report.source)) +
      ink(Style::Dim,
          fmt::format(" · {} of {}", counted(static_cast<long long>(result.rows), "row"),
                      counted(static_cast<long long>(result.runs), "run"))) +
      "\n";
  text += section(Subject::Run, result.run, ink);
  text += section(Subject::Change, result.change, ink);
  return text + notes_text(notes_of(report), ink) + next_text(report.next, ink);
}

}  // namespace espalier
