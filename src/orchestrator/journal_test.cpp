// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/journal.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/run_of_fakes.h"
#include "orchestrator/event_json.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts_of(const std::vector<RunEvent>& events) {
  std::vector<std::string> texts;
  for (const RunEvent& event : events) texts.push_back(event_text(event));
  return texts;
}

std::vector<RunEvent> some_events(int count) {
  std::vector<RunEvent> events{{{0}, RunBegan{}}};
  for (int i = 1; i < count; ++i)
    events.push_back({{0.1 * i}, NodeGone{{"node-" + std::to_string(i)}}});
  return events;
}

class JournalTest : public testing::Test {
 protected:
  fs::path file() const { return folder / "journal.db"; }

  std::string bytes(const fs::path& path) const {
    std::ifstream input(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(input), {}};
  }

  const TemporaryFolder folder{fakes::quick_folder()};
};

TEST_F(JournalTest, KeepsWhatWasAgreedToAndWhatWasSpent) {
  PlanDecided plan;
  plan.next = Step{{1}, {1.5}, {2}, {3}, 0};
  plan.stages = {{{1}, 4, {1}, {8}, {12}}};
  plan.spent = Spent{{5}, {7}};
  const ResultsDropped dropped{
      0, 1, 0, {{2}, Provenance::Estimated, "a guess"}, {{{"run", 3, 1, 0}, {"gold-1"}}}};
  for (const RunEvent& event : std::vector<RunEvent>{
           {{0}, RunBegan{plan}}, {{0}, RunBegan{}}, {{1}, plan}, {{2}, dropped}}) {
    EXPECT_EQ(event_text(parse_event(event_text(event), "test")), event_text(event));
  }
  const RunEvent again = parse_event(event_text({{2}, dropped}), "test");
  EXPECT_EQ(std::get<ResultsDropped>(again.what).energy.source, "a guess");
  EXPECT_EQ(std::get<ResultsDropped>(again.what).paid.size(), 1U);
}

TEST_F(JournalTest, GivesBackWhatWasKept) {
  {
    Journal journal(file(), 0);
    journal.append(some_events(5));
  }
  Journal journal(file(), 5);
  journal.append(some_events(2));
  EXPECT_EQ(journal.size(), 7);
  const JournalReading reading = read_journal(file());
  EXPECT_EQ(reading.fault, "");
  std::vector<std::string> expected = texts_of(some_events(5));
  for (const std::string& text : texts_of(some_events(2))) expected.push_back(text);
  EXPECT_EQ(texts_of(reading.events), expected);
}

TEST_F(JournalTest, ThatIsNotThereIsSaidSo) { EXPECT_THROW(read_journal(file()), Error); }

// As when its process was killed, or the disk full, before anything was kept.
TEST_F(JournalTest, ThatWasMadeAndNeverUsedIsEmpty) {
  folder.write("journal.db", "");
  EXPECT_EQ(read_journal(file()).fault, "");
  { Journal(file(), 0).append(some_events(3)); }
  EXPECT_EQ(read_journal(file()).events.size(), 3U);
  folder.write("journal.db", "");
  EXPECT_NE(read_journal(file()).fault, "") << "the head knows that there was more";
}

TEST_F(JournalTest, FindsRowsThatAreMissingAtTheEnd) {
  { Journal(file(), 0).append(some_events(20)); }
  const std::string head = bytes(file().string() + ".head");
  { Journal journal(file(), 15); }
  folder.write("journal.db.head", head);
  const JournalReading reading = read_journal(file());
  EXPECT_EQ(reading.events.size(), 15U);
  EXPECT_TRUE(contains(reading.fault, "5 rows are missing")) << reading.fault;
}

// Whatever byte changes: it is said, or it did not matter.
TEST_F(JournalTest, FindsBitsThatChanged) {
  const std::vector<std::string> kept = texts_of(some_events(60));
  { Journal(file(), 0).append(some_events(60)); }
  const std::string sound = bytes(file());
  int found = 0;
  for (std::size_t at = 0; at < sound.size(); at += 61) {
    std::string damaged = sound;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    folder.write("journal.db", damaged);
    const JournalReading reading = read_journal(file());
    if (reading.fault.empty()) {
      EXPECT_EQ(texts_of(reading.events), kept) << "byte " << at;
    } else {
      ++found;
      const std::vector<std::string> left = texts_of(reading.events);
      EXPECT_TRUE(std::equal(left.begin(), left.end(), kept.begin())) << "byte " << at;
    }
  }
  EXPECT_GT(found, 20);
}

TEST_F(JournalTest, FindsThatTheFileWasCutOff) {
  const std::vector<std::string> kept = texts_of(some_events(60));
  { Journal(file(), 0).append(some_events(60)); }
  const std::string sound = bytes(file());
  for (std::size_t size = 1; size < sound.size(); size += 997) {
    folder.write("journal.db", sound.substr(0, size));
    const JournalReading reading = read_journal(file());
    EXPECT_NE(reading.fault, "") << "of " << sound.size() << " bytes " << size << " are left";
  }
}

// As after kill -9: the rows lie in the write-ahead log.
TEST_F(JournalTest, FindsDamageInTheWriteAheadLog) {
  Journal journal(file(), 0);
  for (const RunEvent& event : some_events(30)) journal.append(std::span(&event, 1));
  const std::vector<std::string> kept = texts_of(some_events(30));
  const TemporaryFolder copy{fakes::quick_folder()};
  const std::string log = bytes(file().string() + "-wal");
  ASSERT_GT(log.size(), 10'000U);
  int found = 0;
  for (std::size_t at = 100; at < log.size(); at += 3001) {
    copy.write("journal.db", bytes(file()));
    copy.write("journal.db.head", bytes(file().string() + ".head"));
    std::string damaged = log;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    copy.write("journal.db-wal", damaged);
    copy.remove("journal.db-shm");
    const JournalReading reading = read_journal(copy / "journal.db");
    if (reading.fault.empty()) {
      EXPECT_EQ(texts_of(reading.events), kept) << "byte " << at;
    } else {
      ++found;
    }
  }
  EXPECT_GT(found, 5);
}

TEST_F(JournalTest, IsSetAsideWhenItIsSalvaged) {
  { Journal(file(), 0).append(some_events(20)); }
  const std::string head = bytes(file().string() + ".head");
  { Journal journal(file(), 15); }
  folder.write("journal.db.head", head);
  const JournalReading damaged = read_journal(file());
  set_aside_damaged(file(), damaged);
  const JournalReading reading = read_journal(file());
  EXPECT_EQ(reading.fault, "");
  EXPECT_EQ(texts_of(reading.events), texts_of(damaged.events));
  EXPECT_TRUE(fs::exists(folder / "journal.db.damaged"));
}

TEST_F(JournalTest, IsNeverReadOrWrittenThroughALink) {
  const TemporaryFolder elsewhere{fakes::quick_folder()};
  { Journal(elsewhere / "journal.db", 0).append(some_events(5)); }
  const std::string before = bytes(elsewhere / "journal.db");
  fs::create_symlink(elsewhere / "journal.db", file());
  EXPECT_TRUE(read_journal(file()).events.empty());
  EXPECT_NE(read_journal(file()).fault, "");
  EXPECT_THROW(Journal(file(), 5), Error);
  EXPECT_EQ(bytes(elsewhere / "journal.db"), before);

  fs::create_directory_symlink(elsewhere.path(), folder / "all");
  EXPECT_EQ(read_journal(folder / "all" / "journal.db").events.size(), 5U)
      << "links above its folder are nobody's business";
}

// A run's own events: every kind that there is.
TEST_F(JournalTest, SurvivesTheRoundTripOfAWholeRun) {
  fakes::RunOfFakes run(folder / "run");
  run.begin();
  ASSERT_TRUE(run.finish());
  for (const RunEvent& event : read_journal(run.directory().journal()).events) {
    const std::string text = event_text(event);
    EXPECT_EQ(event_text(parse_event(text, "test")), text);
  }
}

TEST(Events, RefuseWhatTheyAreNot) {
  for (const char* text :
       {"", "{}", "[]", "null", "{\"at\":1}", "{\"at\":1,\"event\":\"x\"}",
        "{\"at\":\"a\",\"event\":\"run-began\"}", "{\"at\":1,\"event\":\"node-gone\"}",
        "{\"at\":1,\"event\":\"plan-decided\",\"plan\":{\"verdict\":9}}",
        "{\"at\":1,\"event\":\"network-made\",\"network\":7}"})
    EXPECT_THROW(parse_event(text, "test"), Error) << text;
}

}  // namespace
}  // namespace espalier
