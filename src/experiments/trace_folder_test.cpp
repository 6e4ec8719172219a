// SPDX-License-Identifier: Apache-2.0
#include "experiments/trace_folder.h"

#include <fstream>

#include <gtest/gtest.h>

#include "core/error.h"
#include "experiments/setup.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

class TraceFolderTest : public testing::Test {
 protected:
  TraceFolder folder() const { return TraceFolder(root_ / "traces"); }

  const TemporaryFolder place_;
  const fs::path root_ = place_.path();
};

TraceRow start_of(const std::string& run) {
  TraceRow row{.run = run, .seed = 1, .epoch = 0, .model = "L", .nodes = "gold"};
  row.event = TraceEvent::Start;
  return row;
}

TEST_F(TraceFolderTest, GivesBackWhatItKeeps) {
  const Branch branch{.run = "1/gold", .steps = 3};
  EXPECT_TRUE(folder().record_of(branch).rows.empty());
  BranchRecord record;
  record.rows = {start_of("1/gold")};
  record.add_source({Provenance::Measured, "RAPL"});
  folder().prepare(branch.run);
  folder().keep_record(branch, record);
  EXPECT_EQ(folder().record_of(branch).rows, record.rows);
  EXPECT_EQ(folder().record_of(branch).sources, record.sources);
}

TEST_F(TraceFolderTest, StaysInsideWhateverNodeSetsAreCalled) {
  const fs::path file = folder().network_file("1/../5x0.5/..", 3);
  EXPECT_EQ(file.lexically_normal(), file);
  EXPECT_TRUE(file.string().starts_with((root_ / "traces/runs").string())) << file;
}

TEST_F(TraceFolderTest, RefusesARecordOfAnotherRun) {
  const Branch branch{.run = "1/gold", .steps = 3};
  BranchRecord record;
  record.rows = {start_of("2/gold")};
  folder().prepare(branch.run);
  folder().keep_record(branch, record);
  EXPECT_THROW(folder().record_of(branch), Error);
}

TEST_F(TraceFolderTest, KnowsItsNetworksAndClearsAwayWhatIsHalfWritten) {
  folder().prepare("1/gold");
  const fs::path half = folder().network_file("1/gold", 5).parent_path() / ".after-5.7-0.tmp";
  for (const fs::path& file :
       {folder().network_file("1/gold", 5), folder().network_file("1/gold", 15), half})
    std::ofstream(file) << "x";
  EXPECT_EQ(folder().networks_of("1/gold"), (std::set<int>{5, 15}));
  folder().drop_network("1/gold", 5);
  folder().prepare("1/gold");
  EXPECT_EQ(folder().networks_of("1/gold"), (std::set<int>{15}));
  EXPECT_FALSE(fs::exists(half));
  EXPECT_TRUE(folder().networks_of("2/gold").empty());
}

TEST_F(TraceFolderTest, IsLockedByOneAtATime) {
  {
    const FolderLock first(folder());
    EXPECT_THROW(FolderLock{folder()}, Error);
  }
  EXPECT_NO_THROW(FolderLock{folder()});
}

TEST_F(TraceFolderTest, AcceptsNewNodeSetsButNoOtherValues) {
  const FolderLock lock(folder());
  espalier::Setup setup{{"batch", "64"}, {"nodes.gold.samples", "100"}};
  keep_setup(setup, folder());
  setup["nodes.silver.samples"] = "50";
  EXPECT_NO_THROW(keep_setup(setup, folder()));
  setup.erase("nodes.gold.samples");
  EXPECT_NO_THROW(keep_setup(setup, folder()));
  setup["nodes.gold.samples"] = "101";
  EXPECT_THROW(keep_setup(setup, folder()), Error);
  EXPECT_THROW(check_setup({{"batch", "32"}}, folder()), Error);
}

}  // namespace
}  // namespace espalier
