// SPDX-License-Identifier: Apache-2.0
#include "outlook/fitted_beliefs.h"

#include <algorithm>
#include <variant>

#include "core/error.h"
#include "outlook/fitted_imagination.h"

namespace espalier {
namespace {

const RuleFile* fitted_rule(const RunSpec& run) {
  const auto* file = std::get_if<RuleFile>(&run.learn.rule);
  return file != nullptr && file->kind == RuleFile::Kind::Fitted ? file : nullptr;
}

// Rows whose rules are to be the estimators'.
std::vector<bool> fitted_rows(const Scenario& scenario) {
  std::vector<bool> rows;
  for (const RunSpec& run : scenario.runs) rows.push_back(fitted_rule(run) != nullptr);
  const bool none = std::find(rows.begin(), rows.end(), true) == rows.end();
  if (none) rows.assign(rows.size(), true);
  return rows;
}

LearnSpec learn_spec(const LearningView& view) {
  return {view.rule.expected.shape(), view.noise, view.rule.robust.shape()};
}

JumpSpec jump_spec(const JumpView& view) {
  return {view.jump.expected, view.noise, view.jump.robust};
}

template <class Row>
bool is_of(const Row& row, ModelId from, ModelId to) {
  if constexpr (requires { row.from_model; })
    return row.from_model == from && row.to_model == to;
  else
    return row.from == from && row.to == to;
}

}  // namespace

std::optional<std::filesystem::path> fitted_file_of(const Scenario& scenario) {
  std::optional<std::filesystem::path> found;
  for (const RunSpec& run : scenario.runs) {
    const RuleFile* file = fitted_rule(run);
    if (file == nullptr) continue;
    if (found && *found != file->path) {
      throw Error(
          ErrorCode::BadInput,
          "rules name two files of estimators: '" + found->string() + "' and '" + file->path + "'",
          "one file knows all placements; name the same one everywhere");
    }
    found = file->path;
  }
  return found;
}

FittedBeliefs::FittedBeliefs(const Scenario& scenario, LearningForecaster forecaster,
                             const OutlookOptions& options)
    : forecaster_(std::move(forecaster)),
      options_(options),
      at_start_(scenario),
      is_fitted_(fitted_rows(scenario)) {
  for (std::size_t i = 0; i < at_start_.runs.size(); ++i) {
    // Until something is believed: nothing is learnt.
    if (is_fitted_[i]) at_start_.runs[i].learn = {RuleShape{PowerRule{}}, {}, {}};
  }
  believe(Problem::estimated(at_start_));
}

void FittedBeliefs::believe(const Problem& problem) {
  const FittedImagination imagination(forecaster_, conditions_of(at_start_, problem), problem);
  const Beliefs beliefs = imagine_beliefs(problem, imagination, {problem.start(), {}}, options_);
  for (std::size_t i = 0; i < at_start_.runs.size(); ++i) {
    RunSpec& run = at_start_.runs[i];
    if (!is_fitted_[i]) continue;
    const auto& all = problem.placements();
    const auto first = std::find_if(all.begin(), all.end(), [&](const Training& t) {
      return t.at.model == run.model && t.at.nodes == run.nodes;
    });
    run.learn = learn_spec(beliefs.learning[static_cast<std::size_t>(first - all.begin())]);
  }
  if (!forecaster_.knows_changes()) return;
  for (const JumpView& view : beliefs.jumps) {
    if (view.nodes) {
      believe_pair(problem, view);
      continue;
    }
    for (ModelChangeSpec& row : at_start_.model_changes) {
      if (is_of(row, view.from, view.to)) row.jump = jump_spec(view);
    }
    for (PairChangeSpec& row : at_start_.pair_changes) {
      if (row.jump && is_of(row, view.from, view.to)) row.jump = jump_spec(view);
    }
  }
}

void FittedBeliefs::believe_pair(const Problem& problem, const JumpView& view) {
  auto& rows = at_start_.pair_changes;
  auto row = std::find_if(rows.begin(), rows.end(), [&](const PairChangeSpec& known) {
    return is_of(known, view.from, view.to) && known.from_nodes == view.nodes->from &&
           known.to_nodes == view.nodes->to;
  });
  if (row == rows.end()) {
    const auto place = [&](ModelId model, NodeSetId nodes) {
      const auto& all = problem.placements();
      const auto found = std::find_if(all.begin(), all.end(), [&](const Training& t) {
        return t.at.model == model && t.at.nodes == nodes;
      });
      return PlacementId{static_cast<std::int32_t>(found - all.begin())};
    };
    const auto change =
        problem.change(place(view.from, view.nodes->from), place(view.to, view.nodes->to));
    row = rows.insert(
        rows.end(),
        {view.from, view.nodes->from, view.to, view.nodes->to, change->time, change->energy, {}});
  }
  row->jump = jump_spec(view);
}

std::vector<bool> FittedBeliefs::fitted_placements(const Problem& problem) const {
  std::vector<bool> fitted;
  for (const Training& training : problem.placements()) {
    const auto row =
        std::find_if(at_start_.runs.begin(), at_start_.runs.end(), [&](const RunSpec& run) {
          return run.model == training.at.model && run.nodes == training.at.nodes;
        });
    fitted.push_back(row != at_start_.runs.end() &&
                     is_fitted_[static_cast<std::size_t>(row - at_start_.runs.begin())]);
  }
  return fitted;
}

// Keeps what it imagines with.
class FittedBeliefs::Renewed final : public Outlook {
 public:
  Renewed(const FittedBeliefs& beliefs, const Problem& base, const OutlookOptions& options)
      : imagination_(beliefs.forecaster_, conditions_of(beliefs.at_start_, base), base),
        outlook_(base, imagination_, options, beliefs.fitted_placements(base)) {}

  Problem after(const Plan& course) override { return outlook_.after(course); }

 private:
  FittedImagination imagination_;
  ImaginedOutlook outlook_;
};

MakeOutlook FittedBeliefs::outlooks(const Problem& base, std::vector<int> longest_stays) const {
  OutlookOptions options = options_;
  options.longest_stays = std::move(longest_stays);
  return [this, &base, options](std::size_t) {
    return std::make_unique<Renewed>(*this, base, options);
  };
}

}  // namespace espalier
