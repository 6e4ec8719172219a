// SPDX-License-Identifier: Apache-2.0
#include "render/table.h"

#include <sstream>

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Table, AlignsByWhatIsSeen) {
  Table table({{"model"}, {"energy", Align::Right}});
  table.add({{"né"}, {"1.00 J"}});
  table.add({{"long"}, {"12.00 J", Style::Good}});
  EXPECT_EQ(table.text(Ink::none()),
            "  model   energy\n"
            "  ──────────────\n"
            "  né      1.00 J\n"
            "  long   12.00 J\n");
}

TEST(Table, ColourChangesNoWidth) {
  Table table({{"a"}, {"b"}});
  table.add({{"x", Style::Good}, {"y"}});
  EXPECT_NE(table.text(Ink::ansi()).find("\x1b[32mx\x1b[0m  y\n"), std::string::npos);
}

TEST(Table, StaysWithinThePage) {
  Table table({{"name", Align::Left, Fit::Cut}, {"why", Align::Left, Fit::Wrap}});
  table.add({{std::string(90, 'n')},
             {"because it was the only way to do so, and nothing else was cheaper"}});
  std::istringstream lines(table.text(Ink::none(), 60));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(display_width(line), 60);
  EXPECT_GT(count, 3);
}

}  // namespace
}  // namespace espalier
