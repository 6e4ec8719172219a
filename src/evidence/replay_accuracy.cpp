// SPDX-License-Identifier: Apache-2.0
#include "evidence/replay_accuracy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/parallel.h"
#include "experiments/run_id.h"
#include "replay/replay.h"
#include "simulation/summary.h"

namespace espalier {
namespace {

// A pruning after some epochs, and all that grew from it.
struct LeftOutChange {
  std::string run{};
  bool is_between = false;
};

bool grew_from(const std::string& run, const std::string& origin) {
  return run == origin || run.starts_with(origin + "/");
}

// Prunings that differ by nothing but their epoch, where there are at least two.
std::vector<LeftOutChange> changes_of(const std::vector<TraceRow>& rows) {
  std::map<std::string, std::map<int, std::string>> families;
  for (const TraceRow& row : rows) {
    const auto place = place_of(row.run);
    if (!place) continue;
    for (const RunOrigin& part : lineage_of(row.run, 0)) {
      const auto pruned = place_of(part.run);
      if (!pruned->ratio || !pruned->origin) continue;
      families[fmt::format("{} {}", pruned->origin->run, *pruned->ratio)][pruned->origin->steps] =
          part.run;
    }
  }
  std::vector<LeftOutChange> changes;
  for (const auto& [family, by_epoch] : families) {
    if (by_epoch.size() < 2) continue;
    for (const auto& [epoch, run] : by_epoch)
      changes.push_back({run, epoch > by_epoch.begin()->first && epoch < by_epoch.rbegin()->first});
  }
  return changes;
}

// Losses of a run after its arrival, one for each epoch.
std::vector<double> real_losses(const std::vector<TraceRow>& rows, const std::string& run) {
  std::vector<double> losses;
  for (const TraceRow& row : rows) {
    if (row.run == run) losses.push_back(row.loss.value);
  }
  return losses;
}

// At the beginning of the run, or nothing if what is left cannot tell.
std::optional<Replay> replayed_to(const TraceTree& tree, const std::string& run) {
  const auto lineage = lineage_of(run, 0);
  const RunPlace first = *place_of(lineage.front().run);
  const auto begin = tree.place(first.nodes, 0);
  const auto root = begin ? tree.root(first.seed, *begin) : std::nullopt;
  if (!root) return std::nullopt;
  Replay replay(tree, *root);
  for (const RunOrigin& part : lineage) {
    const RunPlace place = *place_of(part.run);
    if (place.ratio) continue;
    const auto there = tree.place(place.nodes, place.prune);
    if (place.origin) {
      if (!there || !replay.can_change(*there)) return std::nullopt;
      replay.change(*there);
    }
    for (int i = 0; i < part.steps; ++i) replay.train();
  }
  return replay;
}

std::vector<double> replayed_losses(Replay replay, std::size_t count) {
  std::vector<double> losses{replay.loss()};
  while (losses.size() < count) {
    replay.train();
    losses.push_back(replay.loss());
  }
  return losses;
}

// As many as there are, and one more, if it never is.
int epochs_to(const std::vector<double>& losses, double target) {
  const auto at = std::ranges::find_if(losses, [&](double loss) { return loss <= target; });
  return static_cast<int>(at - losses.begin());
}

std::vector<ReplayedRun> replay_left_out(const std::vector<TraceRow>& rows,
                                         const LeftOutChange& change,
                                         std::span<const double> targets) {
  std::vector<TraceRow> rest;
  std::vector<std::string> runs;
  for (const TraceRow& row : rows) {
    if (!grew_from(row.run, change.run)) {
      rest.push_back(row);
    } else if (row.event == TraceEvent::HandOver) {
      runs.push_back(row.run);
    }
  }
  const TraceTree tree(rest, "the traces");
  std::vector<ReplayedRun> replayed;
  for (const std::string& run : runs) {
    const auto replay = replayed_to(tree, run);
    if (!replay) continue;
    const auto real = real_losses(rows, run);
    const auto said = replayed_losses(*replay, real.size());
    const int before = place_of(run)->epochs_before;
    for (const double target : targets) {
      const int epochs = epochs_to(real, target);
      if (epochs == 0 || epochs == static_cast<int>(real.size())) continue;
      replayed.push_back(
          {run, change.is_between, target, before + epochs, before + epochs_to(said, target)});
    }
  }
  return replayed;
}

}  // namespace

double ReplayedRun::error() const {
  return static_cast<double>(std::abs(replayed_epochs - real_epochs)) /
         static_cast<double>(real_epochs);
}

ReplayAccuracy measure_replay(const std::vector<TraceRow>& rows, std::span<const double> targets,
                              unsigned workers) {
  const auto changes = changes_of(rows);
  std::vector<std::vector<ReplayedRun>> parts(changes.size());
  for_each_index(changes.size(), workers, [&](unsigned, std::size_t i) {
    const std::string seed = changes[i].run.substr(0, changes[i].run.find('/') + 1);
    std::vector<TraceRow> own;
    std::ranges::copy_if(rows, std::back_inserter(own),
                         [&](const TraceRow& row) { return row.run.starts_with(seed); });
    parts[i] = replay_left_out(own, changes[i], targets);
  });
  ReplayAccuracy accuracy;
  for (const auto& part : parts) {
    std::string last;
    for (const ReplayedRun& run : part) {
      accuracy.left_out += run.run != last;
      last = run.run;
      accuracy.runs.push_back(run);
    }
  }
  return accuracy;
}

std::optional<double> median_replay_error(const ReplayAccuracy& accuracy, bool between) {
  std::vector<double> errors;
  for (const ReplayedRun& run : accuracy.runs) {
    if (run.is_between == between) errors.push_back(run.error());
  }
  if (errors.empty()) return std::nullopt;
  return spread_of(std::move(errors)).p50;
}

}  // namespace espalier
