// SPDX-License-Identifier: Apache-2.0
#include "render/sections.h"

#include <fmt/format.h>

#include "render/figures.h"
#include "render/names.h"
#include "render/text.h"

namespace espalier {

std::string heading(const Planned& planned, Estimator estimator, const Ink& ink) {
  const Goal& goal = planned.problem.goal();
  const auto what =
      planned.strategy.promises
          ? fmt::format("{}, with a probability of {}", planned.strategy.name,
                        percent(goal.probability))
          : fmt::format("{}, {} estimates", planned.strategy.name, name_of(estimator));
  return title(planned.scenario, goal, what, ink);
}

std::string title(const Scenario& scenario, const Goal& goal, const std::string& what,
                  const Ink& ink) {
  const std::string name = cut_to(printable(scenario.name), 60);
  return ink(Style::Bold, name) + ink(Style::Dim, " · " + what) + "\n" +
         ink(Style::Dim, "goal   ") +
         fmt::format("loss ≤ {} by {}\n", loss_figure(goal.loss), duration(goal.deadline));
}

std::string verdict_line(const std::string& text, Style style, const Ink& ink) {
  std::string lines;
  for (const std::string& line : wrap(text, kPageWidth - 7)) {
    lines += lines.empty() ? ink(Style::Dim, "result ") : std::string(7, ' ');
    lines += ink(style, line) + "\n";
  }
  return lines;
}

std::string notes_text(const std::vector<std::string>& notes, const Ink& ink) {
  std::string text;
  for (const std::string& note : notes) {
    bool first = true;
    for (const std::string& line : wrap(printable(note), kPageWidth - 7)) {
      text += ink(Style::Dim, (first ? "note   " : "       ") + line) + "\n";
      first = false;
    }
  }
  return text.empty() ? "" : "\n" + text;
}

std::string next_text(const std::vector<std::string>& commands, const Ink& ink) {
  std::string text;
  for (const std::string& command : commands) {
    text += ink(Style::Dim, text.empty() ? "next   " : "       ") + printable(command) + "\n";
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace espalier
