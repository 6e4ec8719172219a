// SPDX-License-Identifier: Apache-2.0
#include "asked_run.h"

namespace espalier {
namespace {

class Prompt : public RunSite {
 protected:
  AskedRun ask() const {
    return {folder.path(), {"run", "fakes.yaml", "--output", "here", "--trainer", PRETENDING_NODE}};
  }
  bool has_begun() const { return std::filesystem::exists(folder / "here" / "journal.db"); }
};

TEST_F(Prompt, EnterAndYMeanYes) {
  for (const char* keys : {"\n", "y\n", "Yes\n"}) {
    folder.remove("here");
    AskedRun run = ask();
    ASSERT_TRUE(run.has_asked(1)) << run.said();
    EXPECT_FALSE(has_begun()) << "before it was answered";
    run.answer(keys);
    EXPECT_EQ(run.wait(), 0) << run.said();
    EXPECT_TRUE(contains(run.said(), "The goal is reached")) << keys << run.said();
  }
}

TEST_F(Prompt, NMeansNoAndLeavesNothing) {
  for (const char* keys : {"n\n", "No\n"}) {
    AskedRun run = ask();
    ASSERT_TRUE(run.has_asked(1)) << run.said();
    run.answer(keys);
    EXPECT_EQ(run.wait(), 7) << run.said();
    EXPECT_TRUE(contains(run.said(), "not begun")) << run.said();
    EXPECT_FALSE(std::filesystem::exists(folder / "here"));
  }
}

TEST_F(Prompt, AnythingElseIsAskedAgain) {
  AskedRun run = ask();
  ASSERT_TRUE(run.has_asked(1)) << run.said();
  run.answer("maybe\n");
  ASSERT_TRUE(run.has_asked(2)) << run.said();
  run.answer(" \n");
  ASSERT_TRUE(run.has_asked(3)) << run.said();
  EXPECT_FALSE(has_begun());
  run.answer("n\n");
  EXPECT_EQ(run.wait(), 7) << run.said();
}

TEST_F(Prompt, CtrlCAndTheEndOfInputMeanNo) {
  for (const char* keys : {"\x03", "\x04"}) {
    AskedRun run = ask();
    ASSERT_TRUE(run.has_asked(1)) << run.said();
    run.answer(keys);
    EXPECT_EQ(run.wait(), 7) << run.said();
    EXPECT_FALSE(std::filesystem::exists(folder / "here"));
  }
}

}  // namespace
}  // namespace espalier
