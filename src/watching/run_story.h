// SPDX-License-Identifier: Apache-2.0
// What all news so far add up to.
#pragma once

#include <map>

#include "watching/run_news.h"

namespace espalier {

// A plan that was made on the way.
struct ToldPlan {
  Seconds at{};
  PlanNews plan;  // without its course, but for the first and the last one
};

struct ToldRemark {
  Seconds at{};
  std::string text;
};

struct WatchedStory {
  RunHead head;
  std::int64_t last_id = 0;
  Seconds at{};  // of the last news
  std::vector<EpochNews> epochs;
  std::vector<ToldPlan> plans;  // those that changed something
  std::vector<ForeseenStep> first_course;
  std::vector<ForeseenStep> course;  // that of the latest plan
  std::optional<Chance> chance;      // likewise
  std::map<std::string, NodeNews> nodes;
  std::vector<ToldRemark> remarks;
  std::optional<EndNews> end;
  bool is_carried_on = true;  // no news: it is seen and not told
};

WatchedStory first_story(RunHead head);

// Where the weakest part of the energy of all epochs comes from.
EnergySource energy_source(const WatchedStory& story);

// Pure but for the story itself.
void tell(WatchedStory& story, const RunNews& news);

}  // namespace espalier
