// SPDX-License-Identifier: Apache-2.0
#include "replay/trace_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "experiments/run_id.h"
#include "io/wording.h"

namespace espalier {
namespace {

constexpr double kSameRatio = 1e-6;
constexpr double kSameLoss = 1e-9;
constexpr int kLongestGapBridged = 100;
constexpr std::size_t kMostStages = 64;
constexpr std::size_t kMostPlaces = 1000;
constexpr std::size_t kMostTracedLosses = 20'000'000;

using RowsOfRun = std::vector<const TraceRow*>;

std::map<std::string, RowsOfRun> rows_by_run(const std::vector<TraceRow>& rows) {
  std::map<std::string, RowsOfRun> runs;
  for (const TraceRow& row : rows) runs[row.run].push_back(&row);
  const auto in_time = [](const TraceRow* a, const TraceRow* b) {
    return std::tuple(a->epoch, a->event) < std::tuple(b->epoch, b->event);
  };
  for (auto& [run, steps] : runs) std::stable_sort(steps.begin(), steps.end(), in_time);
  return runs;
}

// A stage as one run tells it.
struct ToldStage {
  TracedPlaceId place{};
  int begin = 0;                   // epochs since the fresh network
  std::map<int, double> losses{};  // by epochs since `begin`
};

void note(ToldStage& stage, const TraceRow& row) {
  if (std::isfinite(row.loss.value)) stage.losses.emplace(row.epoch - stage.begin, row.loss.value);
}

}  // namespace

class TraceTreeBuilder {
 public:
  TraceTreeBuilder(TraceTree& tree, const std::string& file) : tree_(tree), file_(file) {}

  void build(const std::vector<TraceRow>& rows) {
    for (const auto& [run, steps] : rows_by_run(rows)) {
      const auto place = espalier::place_of(run);
      if (!place) {
        add_plain(run, steps);
      } else if (!place->ratio) {
        add_placed(run, *place, steps);
      }
    }
    if (tree_.stages_.empty()) fail("holds no traces", "'espalier collect' makes some");
    sort();
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::BadInput, file_ + ": " + what, hint);
  }

  TracedPlaceId place_id(const std::string& nodes, double prune) {
    if (const auto known = tree_.place(nodes, prune)) return *known;
    if (tree_.places_.size() == kMostPlaces)
      fail(fmt::format("tells of more than {} node sets and ratios", kMostPlaces),
           "leave out some of the runs");
    tree_.places_.push_back({nodes, prune});
    return {static_cast<std::int32_t>(tree_.places_.size()) - 1};
  }

  TracedStageId new_stage(std::uint64_t seed, TracedPlaceId place) {
    tree_.stages_.push_back({.place = place, .seed = seed});
    return {static_cast<std::int32_t>(tree_.stages_.size()) - 1};
  }

  TracedStageId root_at(std::uint64_t seed, TracedPlaceId place) {
    const auto [known, is_new] = roots_.try_emplace({seed, place}, TracedStageId{});
    if (is_new) tree_.roots_.push_back(known->second = new_stage(seed, place));
    return known->second;
  }

  TracedStageId stage_after(TracedStageId from, int epochs, TracedPlaceId place) {
    const auto [known, is_new] = turns_.try_emplace({from, epochs, place}, TracedStageId{});
    if (is_new) {
      known->second = new_stage(tree_.stage(from).seed, place);
      tree_.stages_[known->second.pos()].before = from;
      tree_.stages_[from.pos()].turns.push_back({place, epochs, known->second});
    }
    return known->second;
  }

  // A run whose id tells what came before.
  void add_placed(const std::string& run, const RunPlace& place, const RowsOfRun& rows) {
    std::optional<TracedStageId> at;
    int epochs = 0;
    for (const RunOrigin& part : lineage_of(run, 0)) {
      const auto there = espalier::place_of(part.run);
      if (there->ratio) continue;
      const TracedPlaceId id = place_id(there->nodes, there->prune);
      at = at ? stage_after(*at, epochs, id) : root_at(place.seed, id);
      epochs = part.steps;
    }
    ToldStage told{tree_.stage(*at).place, place.epochs_before, {}};
    for (const TraceRow* row : rows) {
      if (row->event != TraceEvent::Prune && row->epoch >= told.begin) note(told, *row);
    }
    tell(*at, run, told);
  }

  // A run that was told from its start.
  void add_plain(const std::string& run, const RowsOfRun& rows) {
    const std::vector<ToldStage> stages = stages_of(run, rows);
    TracedStageId at = root_at(rows.front()->seed, stages.front().place);
    tell(at, run, stages.front());
    for (std::size_t i = 1; i < stages.size(); ++i) {
      at = stage_after(at, stages[i].begin - stages[i - 1].begin, stages[i].place);
      tell(at, run, stages[i]);
    }
  }

  std::vector<ToldStage> stages_of(const std::string& run, const RowsOfRun& rows) {
    std::vector<ToldStage> stages;
    for (const TraceRow* row : rows) {
      const TracedPlaceId place = place_id(row->nodes, row->prune);
      if (stages.empty() || stages.back().place != place) {
        const bool is_epoch = row->event == TraceEvent::Epoch && row->epoch > 0;
        const int begin = is_epoch ? row->epoch - 1 : row->epoch;
        // Between pruning and handing over nobody trains.
        if (stages.size() > 1 && stages.back().begin == begin) stages.pop_back();
        stages.push_back({place, begin, {}});
      }
      if (stages.size() > kMostStages)
        fail(fmt::format("run '{}' changes more than {} times", shown(run), kMostStages - 1),
             "leave it out");
      note(stages.back(), *row);
    }
    return stages;
  }

  void tell(TracedStageId id, const std::string& run, const ToldStage& told) {
    std::vector<double> losses = without_gaps(run, told);
    std::vector<double>& known = tree_.stages_[id.pos()].losses;
    for (std::size_t i = 0; i < std::min(known.size(), losses.size()); ++i) {
      if (std::abs(known[i] - losses[i]) <= kSameLoss * std::max(1.0, known[i])) continue;
      fail(fmt::format("run '{}' contradicts another run of the same seed {} with the same "
                       "beginning",
                       shown(run), tree_.stage(id).seed),
           "give runs that differ by chance seeds of their own");
    }
    if (losses.size() <= known.size()) return;
    total_ += losses.size() - known.size();
    if (total_ > kMostTracedLosses)
      fail(fmt::format("has more than {} losses", kMostTracedLosses), "leave out some of the runs");
    known = std::move(losses);
  }

  std::vector<double> without_gaps(const std::string& run, const ToldStage& told) const {
    std::vector<double> losses;
    for (const auto& [epoch, loss] : told.losses) {
      if (losses.empty()) losses.push_back(loss);
      const int missing = epoch - static_cast<int>(losses.size());
      if (missing > kLongestGapBridged)
        fail(fmt::format("run '{}' misses {} epochs before epoch {}", shown(run), missing,
                         told.begin + epoch),
             "leave out what is behind the gap");
      const double last = losses.back();
      for (int i = 1; i <= missing; ++i) losses.push_back(last + (loss - last) * i / (missing + 1));
      if (epoch > 0) losses.push_back(loss);
    }
    return losses;
  }

  void sort() {
    const auto order = [](const TracedTurn& a, const TracedTurn& b) {
      return std::tuple(a.to, a.after) < std::tuple(b.to, b.after);
    };
    for (TracedStage& stage : tree_.stages_)
      std::sort(stage.turns.begin(), stage.turns.end(), order);
    std::set<std::uint64_t> seeds;
    for (const TracedStageId root : tree_.roots_) seeds.insert(tree_.stage(root).seed);
    tree_.seeds_.assign(seeds.begin(), seeds.end());
  }

  TraceTree& tree_;
  const std::string& file_;
  std::map<std::tuple<std::uint64_t, TracedPlaceId>, TracedStageId> roots_;
  std::map<std::tuple<TracedStageId, int, TracedPlaceId>, TracedStageId> turns_;
  std::size_t total_ = 0;
};

double TracedStage::loss_after(int epochs) const {
  return losses[std::min(static_cast<std::size_t>(epochs), losses.size() - 1)];
}

TraceTree::TraceTree(const std::vector<TraceRow>& rows, const std::string& file) {
  TraceTreeBuilder(*this, file).build(rows);
}

std::optional<TracedPlaceId> TraceTree::place(std::string_view nodes, double prune) const {
  const auto found = std::find_if(places_.begin(), places_.end(), [&](const TracedPlace& p) {
    return p.nodes == nodes && std::abs(p.prune - prune) <= kSameRatio;
  });
  if (found == places_.end()) return std::nullopt;
  return TracedPlaceId{static_cast<std::int32_t>(found - places_.begin())};
}

std::string TraceTree::places_listed() const {
  std::vector<std::string> known;
  for (const TracedPlace& place : places_)
    known.push_back(fmt::format("{} with {:.6g} pruned", shown(place.nodes), place.prune));
  return listed(known);
}

std::string TraceTree::did_you_mean_nodes(const std::string& nodes) const {
  std::vector<std::string> names;
  for (const TracedPlace& place : places_) names.push_back(place.nodes);
  const bool is_known = std::find(names.begin(), names.end(), nodes) != names.end();
  return is_known ? "" : did_you_mean(nodes, names);
}

std::optional<TracedStageId> TraceTree::root(std::uint64_t seed, TracedPlaceId at) const {
  const auto found = std::find_if(roots_.begin(), roots_.end(), [&](TracedStageId id) {
    return stage(id).seed == seed && stage(id).place == at;
  });
  return found == roots_.end() ? std::nullopt : std::optional(*found);
}

namespace {

void collect_paths(const TraceTree& tree, const TracedStage& stage, TracedPath& path,
                   std::set<TracedPath>& paths) {
  if (stage.losses.empty()) return;
  path.push_back(stage.place);
  paths.insert(path);
  for (const TracedTurn& turn : stage.turns)
    collect_paths(tree, tree.stage(turn.stage), path, paths);
  path.pop_back();
}

}  // namespace

std::vector<TracedPath> TraceTree::paths_from(TracedStageId root) const {
  std::set<TracedPath> paths;
  TracedPath path;
  collect_paths(*this, stage(root), path, paths);
  return {paths.begin(), paths.end()};
}

}  // namespace espalier
