// SPDX-License-Identifier: Apache-2.0
#include "page/report_page.h"

#include <gtest/gtest.h>

#include "render/json.h"

namespace espalier {
namespace {

WatchedStory story_with_node(const std::string& name) {
  RunHead head;
  head.name = "run-1";
  head.nodes = {{name, "gold"}};
  WatchedStory story = first_story(head);
  tell(story,
       {1, Seconds{1}, EpochNews{.epoch = 1, .place = {"L", "gold", "", ""}, .loss = Loss{2}}});
  return story;
}

Json data_in(const std::string& page) {
  const std::string begin = "id=\"espalier-data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(ReportPage, CarriesTheRun) {
  const std::string page = report_page({.title = "factory"}, story_with_node("gold-1"));
  const Json data = data_in(page);
  EXPECT_EQ(data.at("title"), "factory");
  EXPECT_EQ(data.at("run").at("epochs").at("loss").at(0), 2.0);
}

TEST(ReportPage, LoadsNothing) {
  const std::string page = report_page({.title = "factory"}, story_with_node("gold-1"));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("src=\"/"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
}

TEST(ReportPage, NamesCannotBecomeMarkup) {
  const std::string evil = "</script><script>alert(1)</script><!--";
  const std::string page = report_page({.title = evil}, story_with_node(evil));
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(data_in(page).at("run").at("nodes").at(0).at("name"), evil);
}

}  // namespace
}  // namespace espalier
