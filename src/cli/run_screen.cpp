// SPDX-License-Identifier: Apache-2.0
#include "cli/run_screen.h"

#include <iostream>

#include <CLI/CLI.hpp>

namespace espalier {

void add_run_output_options(CLI::App& command, OutputOptions& options) {
  command.add_option("--format", options.format, "table for people, jsonl: one JSON object a line")
      ->check(CLI::IsMember({"table", "jsonl"}).description(""))
      ->type_name("table|jsonl")
      ->group("Output");
  command.add_option("--color", options.color, "colour: on a terminal only, always, or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("auto|always|never")
      ->group("Output");
}

RunScreen::RunScreen(const Narrator& narrator, const OutputOptions& options)
    : narrator_(narrator), for_machines_(options.format == "jsonl"), ink_(Console(options).ink()) {}

void RunScreen::line(const RunLine& line) const {
  if (for_machines_ && !line.json.is_null())
    std::cout << line.json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  if (!for_machines_ && !line.text.empty()) std::cout << ink_(line.style, line.text) << '\n';
  std::cout.flush();
}

void RunScreen::tell(const RunState& before, const RunEvent& event, const RunState& after) const {
  for (const RunLine& one : narrator_.tell(before, event, after)) line(one);
}

void RunScreen::end(const RunSummary& summary) const {
  Json value = summary_json(summary);
  value["event"] = "end";
  if (for_machines_) return line({"", Style::Plain, std::move(value)});
  std::cout << '\n' << summary_text(summary, ink_) << std::flush;
}

}  // namespace espalier
