// SPDX-License-Identifier: Apache-2.0
#include "onlooker/run_report.h"

#include "io/durable_write.h"
#include "io/text_file.h"
#include "onlooker/run_reader.h"
#include "orchestrator/journal.h"
#include "page/report_page.h"

namespace espalier {
namespace {

constexpr std::size_t kMostScenario = 4 << 20;

}  // namespace

WatchedStory story_of(const RunDirectory& directory, const ReadableRun& run) {
  RunReader reader(run.setup);
  WatchedStory story =
      first_story(head_of(run.setup, directory.root().filename().string(), run.strategy));
  for (const RunEvent& event : read_journal(directory.journal()).events) {
    for (const RunNews& news : reader.read(event)) tell(story, news);
  }
  return story;
}

void write_report(const RunDirectory& directory, const ReadableRun& run) {
  const WatchedStory story = story_of(directory, run);
  ReportContent content{.title = story.head.name};
  const auto text = read_text_file(directory.scenario(), kMostScenario);
  if (const auto* scenario = std::get_if<std::string>(&text)) content.scenario_text = *scenario;
  write_durably(directory.report(), report_page(content, story));
}

}  // namespace espalier
