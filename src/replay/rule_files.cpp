// SPDX-License-Identifier: Apache-2.0
#include "replay/rule_files.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "io/trace_file.h"
#include "io/wording.h"
#include "replay/mean_curve.h"
#include "replay/trace_tree.h"

namespace espalier {
namespace {

// Ratios of a model and of those it was made from, the newest first.
std::vector<double> ratios_of(const Scenario& scenario, ModelId model) {
  std::vector<double> ratios;
  std::optional<ModelId> at = model;
  while (at && ratios.size() <= scenario.models.size()) {
    ratios.push_back(scenario.models[at->pos()].prune);
    at = scenario.models[at->pos()].from;
  }
  return ratios;
}

std::vector<double> ratios_of(const TraceTree& tree, const TracedStage& stage) {
  std::vector<double> ratios{tree.places()[stage.place.pos()].prune};
  for (auto at = stage.before; at; at = tree.stage(*at).before)
    ratios.push_back(tree.places()[tree.stage(*at).place.pos()].prune);
  return ratios;
}

bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) <= 1e-6; });
}

// Who learns: a model on a node set.
struct Learner {
  ModelId model{};
  NodeSetId nodes{};
};

// Reads each file once.
class RuleReader {
 public:
  RuleReader(const Scenario& scenario, std::filesystem::path folder)
      : scenario_(scenario), folder_(std::move(folder)) {}

  // `learn` with the rule that its file has for `who`.
  LearnSpec read(const LearnSpec& learn, const Learner& who) {
    const auto* file = std::get_if<RuleFile>(&learn.rule);
    if (file == nullptr || file->kind == RuleFile::Kind::Fitted) return learn;
    return from_traces(learn, who, folder_ / file->path);
  }

 private:
  LearnSpec from_traces(const LearnSpec& learn, const Learner& who,
                        const std::filesystem::path& path) {
    const Curves curves = curves_of(traces(path), who, path.string());
    LearnSpec read = learn;
    const RuleShape shape = mean_curve(curves);
    read.rule = shape;
    if (read.noise == NoiseSpec{} && !read.robust) read.noise = spread_around(shape, curves);
    return read;
  }

  const TraceTree& traces(const std::filesystem::path& path) {
    const auto known = trees_.find(path.string());
    if (known != trees_.end()) return known->second;
    return trees_.emplace(path.string(), TraceTree(load_traces(path), path.string())).first->second;
  }

  Curves curves_of(const TraceTree& tree, const Learner& who, const std::string& file) const {
    const ModelSpec& model = scenario_.models[who.model.pos()];
    const std::string& nodes = scenario_.node_sets[who.nodes.pos()].name;
    const auto place = tree.place(nodes, model.prune);
    Curves all;
    Curves same_way;
    for (const TracedStage& stage : tree.stages()) {
      if (stage.place != place || stage.losses.size() < 2) continue;
      all.push_back(&stage.losses);
      if (are_same(ratios_of(tree, stage), ratios_of(scenario_, who.model)))
        same_way.push_back(&stage.losses);
    }
    if (all.empty()) refuse(tree, model, nodes, file);
    return same_way.empty() ? all : same_way;
  }

  [[noreturn]] static void refuse(const TraceTree& tree, const ModelSpec& model,
                                  const std::string& nodes, const std::string& file) {
    throw Error(
        ErrorCode::BadInput,
        fmt::format("{}: has no epochs of {} on {}, {:.6g} of its channels pruned{}", file,
                    shown(model.name), shown(nodes), model.prune, tree.did_you_mean_nodes(nodes)),
        "it knows " + tree.places_listed());
  }

  const Scenario& scenario_;
  const std::filesystem::path folder_;
  std::map<std::string, TraceTree> trees_;
};

// Owned by one thread.
class FaultFinder {
 public:
  FaultFinder(const Scenario& scenario, const std::filesystem::path& folder)
      : reader_(scenario, folder), folder_(folder) {}

  template <class Row>
  void look(const std::vector<Row>& rows, const char* table) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      try {
        reader_.read(rows[i].learn, {rows[i].model, rows[i].nodes});
      } catch (const Error& error) {
        add({fmt::format("{}[{}].learn", table, i), error.what(), error.hint(),
             folder_ / std::get<RuleFile>(rows[i].learn.rule).path});
      }
    }
  }

  std::vector<RuleFault> found() && { return std::move(faults_); }

 private:
  void add(RuleFault fault) {
    const auto is_same = [&](const RuleFault& known) { return known.what == fault.what; };
    if (std::none_of(faults_.begin(), faults_.end(), is_same)) faults_.push_back(std::move(fault));
  }

  RuleReader reader_;
  const std::filesystem::path folder_;
  std::vector<RuleFault> faults_;
};

}  // namespace

std::vector<RuleFault> faults_of_rule_files(const Scenario& scenario,
                                            const std::filesystem::path& folder) {
  FaultFinder finder(scenario, folder);
  finder.look(scenario.runs, "run");
  finder.look(scenario.truth.runs, "truth.run");
  return std::move(finder).found();
}

Scenario with_rules_read(Scenario scenario, const std::filesystem::path& folder) {
  RuleReader reader(scenario, folder);
  for (RunSpec& run : scenario.runs) run.learn = reader.read(run.learn, {run.model, run.nodes});
  for (TrueRunSpec& run : scenario.truth.runs)
    run.learn = reader.read(run.learn, {run.model, run.nodes});
  return scenario;
}

}  // namespace espalier
