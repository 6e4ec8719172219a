// SPDX-License-Identifier: Apache-2.0
#include "simulation/counted_notes.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(CountedNotes, OnesThatDifferInFiguresAloneCountTogether) {
  std::vector<CountedNote> notes;
  count_note(notes, {"heading for 0.31", 1});
  count_note(notes, {"heading for 12", 2});
  count_note(notes, {"heading home", 1});
  ASSERT_EQ(notes.size(), 2);
  EXPECT_EQ(notes[0].text, "heading for 0.31");
  EXPECT_EQ(notes[0].count, 3);
}

}  // namespace
}  // namespace espalier
