// SPDX-License-Identifier: Apache-2.0
#include "watching/run_news.h"

namespace espalier {
namespace {

bool is_at_switch(const std::vector<ForeseenStep>& course, std::size_t i) {
  const bool begins = i > 0 && course[i].place != course[i - 1].place;
  const bool ends = i + 1 < course.size() && course[i].place != course[i + 1].place;
  return begins || ends;
}

}  // namespace

std::vector<ForeseenStep> thinned(const std::vector<ForeseenStep>& course, std::size_t most) {
  if (course.size() <= most) return course;
  const std::size_t stride = 2 * course.size() / most + 1;
  std::vector<ForeseenStep> kept;
  for (std::size_t i = 0; i + 1 < course.size(); ++i) {
    const bool has_room = kept.size() + 1 < most;
    if (has_room && (i % stride == 0 || is_at_switch(course, i))) kept.push_back(course[i]);
  }
  kept.push_back(course.back());
  return kept;
}

}  // namespace espalier
