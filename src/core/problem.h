// SPDX-License-Identifier: Apache-2.0
// A scenario made ready for planning: placements, what an epoch costs and does, what a change costs
// and does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/learning_rule.h"
#include "core/scenario.h"
#include "core/units.h"

namespace espalier {

enum class Estimator { Expected, Robust };

// Where and what to train: a version of the DNN on a node set, with one of its data options and
// levels.
struct Placement {
  ModelId model{};
  NodeSetId nodes{};
  DataOptionId data{};
  LevelId level{};
  friend auto operator<=>(const Placement&, const Placement&) = default;
};

// A value under each of the two estimates.
template <class T>
struct Estimated {
  T expected;
  T robust;
  const T& operator[](Estimator e) const { return e == Estimator::Expected ? expected : robust; }
};

// One epoch at a placement.
struct Training {
  Placement at{};
  Seconds time{};
  Joules energy{};
  Estimated<LearningRule> rule{};
  NoiseSpec noise{};
  Joules once{};                // paid if the data of this option is used at all
  std::uint64_t once_mark = 0;  // that of the node set in State::paid; 0 if nothing is to be paid
  // False for a start that the scenario gives no run for, and for data that is not to be used.
  bool possible = true;
};

// Going from one placement to another.
struct Change {
  Seconds time{};
  Joules energy{};
  Estimated<Jump> jump{};
  double jump_noise = 0;
};

// What one epoch at a placement is believed to do, and what a change of models does.
struct LearningView {
  Estimated<LearningRule> rule{};
  NoiseSpec noise{};
};
struct JumpView {
  struct Nodes {
    NodeSetId from{};
    NodeSetId to{};
  };
  ModelId from{};
  ModelId to{};
  std::optional<Nodes> nodes{};  // absent: whoever hands over to whom
  Estimated<Jump> jump{};
  double noise = 0;
};

// Where a run stands after `epoch` epochs.
struct State {
  PlacementId placement{};
  int epoch = 0;
  Loss loss{};
  Seconds time{};
  Joules energy{};
  std::uint64_t paid = 0;  // marks of the node sets whose data has been paid for
};

struct Goal {
  Loss loss{};
  Seconds deadline{};
  double probability = 0.95;

  // Sums of decimal fractions may miss a bound by rounding alone: a relative 1e-9 is forgiven.
  Loss loss_bound() const { return loss + Loss{1e-9 * (loss.value > 1 ? loss.value : 1)}; }
  Seconds time_bound() const { return deadline * (1 + 1e-9); }
  bool reached(Loss l, Seconds t) const { return l <= loss_bound() && t <= time_bound(); }
};

// Which data option each node set uses, in the order of Scenario::node_sets; absent: none, the set
// is not used.
using DataSelection = std::vector<std::optional<DataOptionId>>;

// Immutable; independent of the scenario it was made from.
class Problem {
 public:
  // The problem as the estimates see it. Throws Error{BadInput} for a rule this build cannot
  // evaluate.
  static Problem estimated(const Scenario& scenario);
  // The same placements in the same order, with the rules and jumps of `truth`.
  static Problem actual(const Scenario& scenario);

  std::size_t size() const { return training_.size(); }
  const Training& training(PlacementId p) const { return training_[p.pos()]; }
  const std::vector<Training>& placements() const { return training_; }

  // Nothing if the scenario does not allow it. Staying costs nothing.
  std::optional<Change> change(PlacementId from, PlacementId to) const;
  // Parts of a change; valid for all pairs if there are no overrides.
  const std::optional<Change>& model_change(ModelId from, ModelId to) const;
  const std::optional<Change>& node_change(NodeSetId from, NodeSetId to) const;
  // Data options of a node set, at least 1; each is a placement of its own, but a run uses one.
  std::size_t data_option_count(NodeSetId n) const {
    return std::max<std::size_t>(1, data_names_[n.pos()].size());
  }
  bool has_pair_overrides() const { return !overrides_.empty(); }

  const Goal& goal() const { return goal_; }
  const State& start() const { return start_; }
  std::size_t model_count() const { return model_names_.size(); }
  std::size_t node_set_count() const { return node_set_names_.size(); }

  // No plan lets the loss rise above this; every rule is monotone up to here.
  double ceiling() const { return ceiling_; }
  // Epochs after this number are alike; 0 if all are.
  int last_special_epoch() const { return last_special_epoch_; }

  // "L on gold", "L on gold (eco)".
  std::string name_of(PlacementId p) const;
  const std::string& name_of(ModelId m) const { return model_names_[m.pos()]; }
  // The models from the start's to each end of the `from` lineage, or all in file order if there is
  // none.
  const std::vector<std::vector<ModelId>>& model_chains() const { return chains_; }

  // Copies with one thing changed.
  Problem with_goal(Goal goal) const;
  // A run that is on its way.
  Problem starting_at(const State& start) const;
  Problem without(PlacementId p) const;
  // Changes between models or node sets that `allowed` denies become impossible; it sees neither
  // data options nor levels, and is not asked about staying.
  using MoveFilter = std::function<bool(const Placement& from, const Placement& to)>;
  Problem only(const MoveFilter& allowed) const;
  // Other data cannot be used, and what is to be paid once is paid at the start.
  Problem with_data(const DataSelection& data) const;
  // The expected estimate becomes that of an unlucky run of about so many epochs: one in Φ(−z) is
  // unluckier. Never more hopeful than the expected estimate was.
  Problem unlucky(double z, int epochs) const;
  // Other beliefs: one for each placement, and those of some changes of models, where a later one
  // may take the place of an earlier one. REQUIRES: size() of the former.
  Problem with_views(const std::vector<LearningView>& learning,
                     const std::vector<JumpView>& jumps) const;
  // The estimated decreases of a model multiplied by 1 + bias.
  Problem with_bias(ModelId model, double bias) const;

 private:
  struct Pair {
    ModelId from_model;
    NodeSetId from_nodes;
    ModelId to_model;
    NodeSetId to_nodes;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  friend class ProblemBuilder;
  Problem() = default;
  std::optional<Change> change(const Pair& pair) const;

  std::vector<Training> training_;
  std::vector<std::optional<Change>> model_changes_;  // from × to
  std::vector<std::optional<Change>> node_changes_;   // from × to
  std::map<Pair, std::optional<Change>> overrides_;   // nothing: impossible, whatever the parts say
  std::vector<std::string> model_names_;
  std::vector<std::string> node_set_names_;
  std::vector<std::vector<std::string>> level_names_;
  std::vector<std::vector<std::string>> data_names_;
  std::vector<std::vector<ModelId>> chains_;
  Goal goal_;
  State start_{};
  double ceiling_ = 0;
  int last_special_epoch_ = 0;
};

}  // namespace espalier
