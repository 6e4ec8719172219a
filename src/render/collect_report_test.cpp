// SPDX-License-Identifier: Apache-2.0
#include "render/collect_report.h"

#include <gtest/gtest.h>

#include "experiments/experiment_tree.h"
#include "experiments/paper_grid.h"

namespace espalier {
namespace {

CollectOutline paper_outline() {
  const ExperimentTree tree = grow_tree(paper_grid(), kPaperNodeSets);
  return {.scenario = "paper",
          .folder = "paper-traces",
          .experiments = static_cast<std::int64_t>(tree.experiments.size()),
          .epochs_separately = tree.epochs_separately(),
          .epochs = tree.epochs_shared(),
          .saved = tree.saved(),
          .epochs_left = tree.epochs_shared(),
          .time_left = {},
          .workers = 2};
}

// As docs/collecting.md shows it.
TEST(CollectReport, TellsWhatThePapersGridTakes) {
  EXPECT_EQ(
      outline_text(paper_outline(), Ink::none()),
      "paper · 312 experiments in paper-traces\n"
      "epochs 36980 one by one; 14020 with shared beginnings, 62.1 % saved\n"
      "left   14020 epochs with 2 workers; how long it takes is known after the first ones\n");
}

TEST(CollectReport, TellsWhereTheJoulesComeFrom) {
  CollectReport report{.state = CollectReport::State::Finished, .outline = paper_outline()};
  report.traces = "paper-traces/traces.csv";
  report.assembled = {3, 120, {{"gold", {Provenance::Modelled, "a100: 400 W × load"}}}};
  EXPECT_EQ(collect_text(report, Ink::none()),
            "result all there: 120 rows of 3 runs in paper-traces/traces.csv\n"
            "energy gold: modelled, a100: 400 W × load\n");
}

TEST(CollectReport, SaysHowToGoOn) {
  CollectReport report{.state = CollectReport::State::Stopped, .outline = paper_outline()};
  report.outline.epochs_known = 5;
  report.outline.time_left = Seconds{7200};
  report.traces = "t.csv";
  EXPECT_EQ(collect_text(report, Ink::none()),
            "result stopped; 0 rows of 0 runs in t.csv so far. The same command goes on\n");
  EXPECT_NE(outline_text(report.outline, Ink::none()).find("about 2 h"), std::string::npos);
  report.outline.times_from = "t.csv";
  report.outline.may_end_early = true;
  const std::string text = outline_text(report.outline, Ink::none());
  EXPECT_NE(text.find("at most about 2 h"), std::string::npos) << text;
  EXPECT_NE(text.find("by the times of t.csv"), std::string::npos) << text;
}

}  // namespace
}  // namespace espalier
