// SPDX-License-Identifier: Apache-2.0
#include "render/collect_report.h"

#include <array>

#include <fmt/format.h>

#include "core/provenance.h"
#include "render/figures.h"
#include "render/json.h"
#include "render/sections.h"
#include "render/text.h"

namespace espalier {
namespace {

constexpr std::array<const char*, 4> kStates{"planned", "finished", "stopped", "assembled"};

std::string line(const char* head, const std::string& text, const Ink& ink) {
  return ink(Style::Dim, pad_right(head, 7)) + hanging("       ", text).substr(7);
}

std::string left_text(const CollectOutline& outline) {
  if (outline.epochs_left == 0) return "nothing is left to do";
  const std::string epochs = counted(outline.epochs_left, "epoch");
  const std::string workers = counted(outline.workers, "worker");
  if (!outline.time_left)
    return fmt::format("{} with {}; how long it takes is known after the first ones", epochs,
                       workers);
  std::string text =
      fmt::format("{} with {}, {} {}", epochs, workers,
                  outline.may_end_early ? "at most about" : "about", duration(*outline.time_left));
  if (!outline.times_from.empty()) text += " by the times of " + printable(outline.times_from);
  return text;
}

std::string sources_text(const Assembled& assembled, const Ink& ink) {
  std::string text;
  for (const NodeEnergySource& s : assembled.sources) {
    text += line(text.empty() ? "energy" : "",
                 printable(fmt::format("{}: {}, {}", s.nodes, name_of(s.source.provenance),
                                       s.source.source)),
                 ink);
  }
  return text;
}

std::string result_text(const CollectReport& report) {
  const std::string rows =
      fmt::format("{} of {} in {}", counted(report.assembled.rows, "row"),
                  counted(report.assembled.runs, "run"), printable(report.traces));
  if (report.state == CollectReport::State::Finished) return "all there: " + rows;
  if (report.state == CollectReport::State::Assembled) return "assembled: " + rows;
  return "stopped; " + rows + " so far. The same command goes on";
}

Json sources_json(const Assembled& assembled) {
  Json all = Json::array();
  for (const NodeEnergySource& s : assembled.sources) {
    all.push_back({{"nodes", s.nodes},
                   {"provenance", name_of(s.source.provenance)},
                   {"source", s.source.source}});
  }
  return all;
}

Json file_json(const std::string& file) { return file.empty() ? Json() : Json(file); }

}  // namespace

std::string outline_text(const CollectOutline& outline, const Ink& ink) {
  const std::string name = cut_to(printable(outline.scenario), 60);
  std::string text = ink(Style::Bold, name) +
                     ink(Style::Dim, " · " + counted(outline.experiments, "experiment") + " in " +
                                         printable(outline.folder)) +
                     "\n";
  text += line("epochs",
               fmt::format("{} one by one; {} with shared beginnings, {} saved",
                           outline.epochs_separately, outline.epochs, percent(outline.saved)),
               ink);
  if (outline.epochs_known > 0)
    text += line("there", counted(outline.epochs_known, "epoch") + " already", ink);
  return text + line("left", left_text(outline), ink);
}

std::string collect_text(const CollectReport& report, const Ink& ink) {
  if (report.state == CollectReport::State::Planned) return outline_text(report.outline, ink);
  const bool is_finished = report.state != CollectReport::State::Stopped;
  std::string text =
      verdict_line(result_text(report), is_finished ? Style::Good : Style::Warning, ink);
  if (!report.experiments.empty())
    text += line("", "whole experiments in " + printable(report.experiments), ink);
  return text + sources_text(report.assembled, ink);
}

std::string collect_document(const CollectReport& report) {
  const CollectOutline& outline = report.outline;
  return ok_document(
      {{"state", kStates[static_cast<std::size_t>(report.state)]},
       {"scenario", outline.scenario},
       {"output", outline.folder},
       {"experiments", outline.experiments},
       {"epochs_separately", outline.epochs_separately},
       {"epochs", outline.epochs},
       {"saved", outline.saved},
       {"epochs_known", outline.epochs_known},
       {"epochs_left", outline.epochs_left},
       {"seconds_left", outline.time_left ? Json(outline.time_left->value) : Json()},
       {"times_from", outline.times_from.empty() ? Json() : Json(outline.times_from)},
       {"ends_early", outline.may_end_early},
       {"workers", outline.workers},
       {"traces", file_json(report.traces)},
       {"whole_experiments", file_json(report.experiments)},
       {"runs", report.assembled.runs},
       {"rows", report.assembled.rows},
       {"energy_sources", sources_json(report.assembled)}});
}

}  // namespace espalier
