// SPDX-License-Identifier: Apache-2.0
#include "estimation/trace_stories.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "experiments/run_id.h"

namespace espalier {
namespace {

using RowsByRun = std::map<std::string, std::vector<const TraceRow*>>;

Conditions conditions_of(const TraceRow& row) {
  return {.prune = row.prune, .samples = row.samples, .classes = row.classes};
}

RowsByRun group(const std::vector<TraceRow>& rows) {
  RowsByRun groups;
  for (const TraceRow& row : rows) groups[row.run].push_back(&row);
  const auto in_time = [](const TraceRow* a, const TraceRow* b) {
    return std::tuple(a->epoch, a->event) < std::tuple(b->epoch, b->event);
  };
  for (auto& [run, steps] : groups) std::stable_sort(steps.begin(), steps.end(), in_time);
  return groups;
}

// The newest losses; a shorter story repeats its oldest.
std::array<double, kLossesBefore> newest_losses(const std::vector<StoryPoint>& points) {
  std::array<double, kLossesBefore> losses{};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const std::size_t back = losses.size() - i;
    losses[i] = points[points.size() - std::min(back, points.size())].loss;
  }
  return losses;
}

// Tells one story, row by row in the order of time.
class Narrator {
 public:
  Narrator(RunStory& story, Leftovers& leftovers) : story_(story), leftovers_(leftovers) {}

  void add_before(const TraceRow& row) { add(row, false); }
  void add_own(const TraceRow& row) { add(row, true); }

 private:
  void add(const TraceRow& row, bool is_own) {
    if (!std::isfinite(row.loss.value)) {
      leftovers_.lost_losses += is_own ? 1 : 0;
      return;
    }
    if (row.event == TraceEvent::Start) points().clear();
    if (row.event == TraceEvent::Prune) note_pruning(row, is_own);
    if (row.event == TraceEvent::HandOver) note_hand_over(row, is_own);
    if (row.event == TraceEvent::Epoch) bridge_gap(row, is_own);
    if (row.event == TraceEvent::HandOver || row.event == TraceEvent::Prune) drop_change(row);
    push(row, is_own);
  }

  void note_pruning(const TraceRow& row, bool is_own) {
    if (points().empty() || points().back().epoch != row.epoch) {
      leftovers_.lone_changes += is_own ? 1 : 0;
      return;
    }
    pruned_ = {.from = points().back().now.prune,
               .to = row.prune,
               .before = newest_losses(points()),
               .samples_before = points().back().now.samples,
               .samples_after = row.samples};
    pruned_at_ = row.epoch;
    if (is_own) story_.changes.push_back({pruned_, row.loss.value});
  }

  // The loss that training goes on from is the one after both.
  void note_hand_over(const TraceRow& row, bool is_own) {
    if (!is_own || pruned_at_ != row.epoch) return;
    pruned_.is_handed_over = true;
    pruned_.samples_after = row.samples;
    if (!story_.changes.empty() && story_.points.back().is_own) story_.changes.pop_back();
    story_.changes.push_back({pruned_, row.loss.value});
  }

  // The loss between two changes is none that training goes on from.
  void drop_change(const TraceRow& row) {
    if (points().size() < 2) return;
    const StoryPoint& last = points().back();
    if (!last.is_epoch && last.epoch == row.epoch) points().pop_back();
  }

  void bridge_gap(const TraceRow& row, bool is_own) {
    if (points().empty()) return;
    const StoryPoint last = points().back();
    const int missing = row.epoch - last.epoch - 1;
    if (missing <= 0) return;
    leftovers_.missing_epochs += is_own ? static_cast<std::size_t>(missing) : 0;
    if (missing > kLongestGap) {
      points().clear();
      return;
    }
    for (int i = 1; i <= missing; ++i) {
      StoryPoint guess = last;
      guess.loss += (row.loss.value - last.loss) * i / (missing + 1);
      guess.epoch += i;
      guess.is_epoch = guess.is_guess = true;
      points().push_back(guess);
    }
  }

  void push(const TraceRow& row, bool is_own) {
    const bool is_epoch = row.event == TraceEvent::Epoch;
    const Conditions now = conditions_of(row);
    const bool goes_on = is_epoch && !points().empty() && points().back().now == now;
    const std::size_t stage = goes_on ? points().back().stage : points().size();
    points().push_back({.loss = row.loss.value,
                        .epoch = row.epoch,
                        .now = now,
                        .stage = stage,
                        .is_own = is_own,
                        .is_epoch = is_epoch});
  }

  std::vector<StoryPoint>& points() { return story_.points; }

  RunStory& story_;
  Leftovers& leftovers_;
  Pruning pruned_{};
  int pruned_at_ = -1;  // epoch
};

// The runs that `run` grew from, the oldest first, as far back as they are there without a gap; of
// each the epochs up to `until`.
struct Ancestor {
  const std::vector<const TraceRow*>* rows = nullptr;
  int until = 0;
};

std::vector<Ancestor> ancestors_of(const std::string& run, const RowsByRun& groups,
                                   Leftovers& leftovers) {
  std::vector<Ancestor> ancestors;
  for (auto place = place_of(run); place && place->origin;) {
    const auto found = groups.find(place->origin->run);
    if (found == groups.end()) {
      ++leftovers.cut_beginnings;
      break;
    }
    ancestors.push_back({&found->second, place->epochs_before});
    place = place_of(found->first);
  }
  std::reverse(ancestors.begin(), ancestors.end());
  return ancestors;
}

void check_size(std::size_t points, std::size_t most) {
  if (points <= most) return;
  throw Error(ErrorCode::BadInput,
              fmt::format("the runs with all that came before them have more than {} losses", most),
              "leave out some of the runs");
}

std::string family_of(const std::string& run) {
  const auto place = place_of(run);
  return place ? std::to_string(place->seed) : run;
}

RunStory tell_story(const std::string& run, const RowsByRun& groups, Leftovers& leftovers) {
  RunStory story{.run = run, .family = family_of(run)};
  Narrator narrator(story, leftovers);
  for (const Ancestor& ancestor : ancestors_of(run, groups, leftovers)) {
    for (const TraceRow* row : *ancestor.rows) {
      if (row->epoch <= ancestor.until) narrator.add_before(*row);
    }
  }
  for (const TraceRow* row : groups.at(run)) narrator.add_own(*row);
  return story;
}

// A network that was pruned once and handed over to several is one pruning: what became of it
// belongs together, and is told where it was pruned.
void gather_hand_overs(std::vector<RunStory>& stories) {
  std::map<std::string, RunStory*> by_run;
  for (RunStory& story : stories) by_run[story.run] = &story;
  std::map<RunStory*, std::vector<ChangeExample>> handed_over;
  for (RunStory& story : stories) {
    const auto place = place_of(story.run);
    if (!place || !place->origin || story.changes.empty()) continue;
    const auto origin = by_run.find(place->origin->run);
    if (origin == by_run.end() || !story.changes.front().change.is_handed_over) continue;
    auto& all = handed_over[origin->second];
    all.insert(all.end(), story.changes.begin(), story.changes.end());
    story.changes.clear();
  }
  for (auto& [story, changes] : handed_over) story->changes = std::move(changes);
}

}  // namespace

TraceStories tell_stories(const std::vector<TraceRow>& rows, const StoryOptions& options) {
  const RowsByRun groups = group(rows);
  TraceStories stories{.rows = rows.size()};
  std::size_t points = 0;
  for (const auto& [run, own] : groups) {
    stories.runs.push_back(tell_story(run, groups, stories.leftovers));
    check_size(points += stories.runs.back().points.size(), options.most_points);
  }
  gather_hand_overs(stories.runs);
  return stories;
}

}  // namespace espalier
