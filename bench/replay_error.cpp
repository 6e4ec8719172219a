// SPDX-License-Identifier: Apache-2.0
// Claim: a course that was not traced is replayed better if it goes between traced ones by the loss
// before the change than by the epoch. Each traced change that lies between two others is left out
// in turn, with all that grew from it, and replayed from the rest. Those that lie outside are told
// of as well.
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "experiments/run_id.h"
#include "io/trace_file.h"
#include "program.h"
#include "replay/replay.h"
#include "report.h"

namespace espalier::bench {
namespace {

struct Settings {
  std::string traces;
  std::string json;
};

using Curve = std::vector<double>;

// Changes that differ by nothing but when they were made, by epochs.
using Siblings = std::map<int, std::string>;

// A run that began with a hand-over.
struct HandedOver {
  std::string family;  // what it has in common with its siblings
  int after = 0;       // epochs of the run it left
};

std::optional<HandedOver> handed_over(const std::string& run) {
  const auto place = place_of(run);
  if (!place || place->ratio || !place->origin) return std::nullopt;
  const auto pruned = place_of(place->origin->run);
  if (!pruned || !pruned->origin) return std::nullopt;
  return HandedOver{
      fmt::format("{} {} {}", pruned->origin->run, pruned->ratio.value_or(0), place->nodes),
      pruned->origin->steps};
}

std::map<std::string, Siblings> all_siblings(const std::vector<TraceRow>& rows) {
  std::map<std::string, Siblings> families;
  for (const TraceRow& row : rows) {
    if (const auto one = handed_over(row.run)) families[one->family][one->after] = row.run;
  }
  return families;
}

std::vector<TraceRow> without(const std::vector<TraceRow>& rows, const std::string& run) {
  std::vector<TraceRow> rest;
  for (const TraceRow& row : rows) {
    if (row.run != run && !row.run.starts_with(run + "/")) rest.push_back(row);
  }
  return rest;
}

Curve told(const std::vector<TraceRow>& rows, const std::string& run) {
  Curve curve;
  for (const TraceRow& row : rows) {
    if (row.run == run) curve.push_back(row.loss.value);
  }
  return curve;
}

Curve replayed(const TraceTree& tree, const std::string& run, std::size_t length) {
  const auto lineage = lineage_of(run, 0);
  const RunPlace first = *place_of(lineage.front().run);
  Replay replay(tree, *tree.root(first.seed, *tree.place(first.nodes, 0)));
  for (const RunOrigin& part : lineage) {
    const RunPlace place = *place_of(part.run);
    if (place.ratio) continue;
    if (place.origin) replay.change(*tree.place(place.nodes, place.prune));
    for (int i = 0; i < part.steps; ++i) replay.train();
  }
  Curve curve{replay.loss()};
  while (curve.size() < length) {
    replay.train();
    curve.push_back(replay.loss());
  }
  return curve;
}

// Of the way from one curve to another.
Curve between(const Curve& from, const Curve& to, double share) {
  Curve curve;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
    curve.push_back(std::lerp(from[i], to[i], share));
  return curve;
}

struct Error {
  double sum = 0;
  double squares = 0;
  double count = 0;

  void add(const Curve& said, const Curve& came) {
    for (std::size_t i = 0; i < std::min(said.size(), came.size()); ++i) {
      sum += std::abs(said[i] - came[i]);
      squares += (said[i] - came[i]) * (said[i] - came[i]);
      ++count;
    }
  }
  double mean() const { return sum / std::max(1.0, count); }
  double root() const { return std::sqrt(squares / std::max(1.0, count)); }
};

struct Errors {
  Error by_loss;
  Error by_epoch;
  Error outside;
  Error nearest;
};

bool can_replay(const TraceTree& tree, const std::string& run) {
  const RunPlace place = *place_of(run);
  return tree.place(place.nodes, place.prune).has_value();
}

void leave_out(const std::vector<TraceRow>& rows, const Siblings& siblings,
               Siblings::const_iterator one, Errors& errors) {
  const TraceTree rest(without(rows, one->second), "the traces");
  if (!can_replay(rest, one->second)) return;
  const Curve came = told(rows, one->second);
  const Curve said = replayed(rest, one->second, came.size());
  const auto after = std::next(one);
  if (one != siblings.begin() && after != siblings.end()) {
    const auto before = std::prev(one);
    const double share = static_cast<double>(one->first - before->first) /
                         static_cast<double>(after->first - before->first);
    errors.by_loss.add(said, came);
    errors.by_epoch.add(between(told(rows, before->second), told(rows, after->second), share),
                        came);
  } else {
    const auto near = one == siblings.begin() ? after : std::prev(one);
    errors.outside.add(said, came);
    errors.nearest.add(told(rows, near->second), came);
  }
}

int run(const Settings& settings) {
  Report report("between traced changes, the loss before a change tells more than its epoch",
                {"left out", "replayed", "losses", "mean error", "root of the mean square"});
  const std::vector<TraceRow> rows = load_traces(settings.traces);
  Errors errors;
  for (const auto& [family, siblings] : all_siblings(rows)) {
    if (siblings.size() < 2) continue;
    for (auto one = siblings.begin(); one != siblings.end(); ++one)
      leave_out(rows, siblings, one, errors);
  }
  const auto add = [&](const char* what, const char* how, const Error& error) {
    report.add({what, how, static_cast<std::int64_t>(error.count), error.mean(), error.root()});
  };
  add("between two", "by the loss before it", errors.by_loss);
  add("between two", "by its epoch", errors.by_epoch);
  add("outside", "as replay does it", errors.outside);
  add("outside", "as the nearest one", errors.nearest);
  if (errors.by_loss.count == 0) report.fail("no traced change lies between two others");
  if (errors.by_loss.mean() > errors.by_epoch.mean()) report.fail("the epoch tells more");
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--traces", settings.traces, "of collect")->required();
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "How well courses that were not traced are replayed.", add_options,
                     run);
}
