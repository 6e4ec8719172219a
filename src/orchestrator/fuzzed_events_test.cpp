// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "fakes/run_of_fakes.h"
#include "orchestrator/event_json.h"
#include "orchestrator/journal.h"
#include "support/fuzzing/fuzzed_bytes.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

// One of each kind that a run has.
std::vector<std::string> sample_events() {
  const TemporaryFolder folder{fakes::quick_folder()};
  fakes::RunOfFakes run(folder / "run");
  run.begin();
  EXPECT_TRUE(run.finish());
  std::map<std::string_view, std::string> first;
  for (const RunEvent& event : read_journal(run.directory().journal()).events)
    first.try_emplace(kind_of(event.what), event_text(event));
  std::vector<std::string> texts;
  for (const auto& [kind, text] : first) texts.push_back(text);
  texts.push_back(event_text({{1}, NodeGone{{"gold-1"}}}));
  return texts;
}

TEST(FuzzedEvents, AreRefusedOrUnderstood) {
  support::expect_sound(
      {{"event", sample_events(),
        [](std::string_view bytes) { return event_text(parse_event(bytes, "row 1")); }}},
      support::kAllBytes);
}

// The file itself, whatever SQLite makes of it.
TEST(FuzzedJournals, AreReadAsFarAsTheyAreSound) {
  const TemporaryFolder folder{fakes::quick_folder()};
  {
    const std::vector<RunEvent> events(9, {{1}, NodeGone{{"gold-1"}}});
    Journal(folder / "journal.db", 0).append(events);
  }
  support::expect_sound({{"journal",
                          {folder.read("journal.db")},
                          [&](std::string_view bytes) {
                            folder.write("journal.db", bytes);
                            for (const char* beside : {"-wal", "-shm", ".head"})
                              folder.remove(std::string("journal.db") + beside);
                            const JournalReading reading = read_journal(folder / "journal.db");
                            EXPECT_LE(reading.events.size(), 9U);
                            if (reading.fault.empty()) return std::string();
                            throw Error(ErrorCode::BadInput, reading.fault);
                          }}},
                        support::kAllBytes);
}

}  // namespace
}  // namespace espalier
