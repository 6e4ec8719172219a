// SPDX-License-Identifier: Apache-2.0
// x[k][p→q] = 1: epoch k trains at q, coming from p. stop[k][p] = 1: the plan ends after epoch k at
// p. Epochs past the last step change nothing, so there are no more layers than steps.
#include "milp_cbc.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <coin/Cbc_C_Interface.h>

#include "core/error.h"

namespace espalier::bench {
namespace {

struct Column {
  int epoch = 0;
  PlacementId to{};
};

struct ModelDeleter {
  void operator()(Cbc_Model* model) const { Cbc_deleteModel(model); }
};

class Milp {
 public:
  Milp(const Problem& problem, Estimator estimator)
      : problem_(problem),
        estimator_(estimator),
        layers_(problem.last_special_epoch()),
        model_(Cbc_newModel()) {
    add_rows();
    for (int k = 1; k <= layers_; ++k) add_layer(k);
  }

  Solution solve(Seconds limit) {
    Cbc_setLogLevel(model_.get(), 0);
    Cbc_setMaximumSeconds(model_.get(), limit.value);
    Cbc_setParameter(model_.get(), "timeMode", "elapsed");
    Cbc_setParameter(model_.get(), "primalTolerance", "1e-9");
    Cbc_setParameter(model_.get(), "increment", "1e-9");
    Cbc_solve(model_.get());
    return read();
  }

 private:
  // Rows: time, loss, start, then one flow balance per epoch and placement.
  static constexpr int kTimeRow = 0;
  static constexpr int kLossRow = 1;
  static constexpr int kStartRow = 2;

  int flow_row(int k, std::size_t p) const {
    return k == 0 ? kStartRow
                  : 3 + (k - 1) * static_cast<int>(problem_.size()) + static_cast<int>(p);
  }

  void add_rows() {
    const Goal& goal = problem_.goal();
    add_row('L', goal.deadline.value - problem_.start().time.value);
    add_row('L', goal.loss.value - problem_.start().loss.value);
    add_row('E', 1);
    for (std::size_t i = 0; i < problem_.size() * static_cast<std::size_t>(layers_); ++i)
      add_row('E', 0);
  }

  void add_row(char sense, double bound) {
    Cbc_addRow(model_.get(), "", 0, nullptr, nullptr, sense, bound);
  }

  void add_layer(int k) {
    for (std::size_t p = 0; p < problem_.size(); ++p) {
      const bool is_source = k > 1 || p == problem_.start().placement.pos();
      for (std::size_t q = 0; is_source && q < problem_.size(); ++q) add_epoch(k, p, q);
      add_stop(k, p);
    }
  }

  void add_epoch(int k, std::size_t p, std::size_t q) {
    const PlacementId to{static_cast<std::int32_t>(q)};
    const auto change = problem_.change({static_cast<std::int32_t>(p)}, to);
    const Training& training = problem_.training(to);
    if (!change || !training.possible) return;
    const double high = 10;  // far from 0, where the rule would stop being linear
    const double step = training.rule[estimator_].next(k, high) - high;
    int rows[] = {kTimeRow, kLossRow, flow_row(k - 1, p), flow_row(k, q)};
    double values[] = {(change->time + training.time).value, change->jump[estimator_].add + step,
                       k == 1 ? 1.0 : -1.0, 1};
    Cbc_addCol(model_.get(), "", 0, 1, (change->energy + training.energy).value, 1, 4, rows,
               values);
    columns_.push_back({k, to});
  }

  void add_stop(int k, std::size_t p) {
    int row = flow_row(k, p);
    double value = -1;
    Cbc_addCol(model_.get(), "", 0, 1, 0, 0, 1, &row, &value);
    columns_.push_back({});
  }

  Solution read() const {
    Solution solution;
    solution.size = static_cast<std::int64_t>(columns_.size());
    if (Cbc_isProvenInfeasible(model_.get())) return solution;
    solution.outcome = Cbc_isProvenOptimal(model_.get()) ? Outcome::Optimal : Outcome::Limit;
    if (Cbc_numberSavedSolutions(model_.get()) == 0 && solution.outcome == Outcome::Limit)
      return solution;
    solution.energy = Joules{Cbc_getObjValue(model_.get())};
    const double* x = Cbc_getColSolution(model_.get());
    std::vector<Column> used;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].epoch > 0 && x[i] > 0.5) used.push_back(columns_[i]);
    }
    std::ranges::sort(used, {}, &Column::epoch);
    for (const Column& column : used) solution.placements.push_back(column.to);
    return solution;
  }

  const Problem& problem_;
  const Estimator estimator_;
  const int layers_;
  std::unique_ptr<Cbc_Model, ModelDeleter> model_;
  std::vector<Column> columns_;
};

bool only_adds(const Problem& problem, Estimator estimator) {
  for (std::size_t p = 0; p < problem.size(); ++p) {
    for (std::size_t q = 0; q < problem.size(); ++q) {
      const auto change =
          problem.change({static_cast<std::int32_t>(p)}, {static_cast<std::int32_t>(q)});
      if (change && (change->jump[estimator].scale != 1 || change->jump[estimator].add < 0))
        return false;
    }
  }
  return true;
}

// The largest decrease in epoch k at any placement.
double largest_step(const Problem& problem, Estimator estimator, int k) {
  const double high = 10;  // far from 0
  double step = 0;
  for (const Training& t : problem.placements()) {
    if (t.possible) step = std::max(step, high - t.rule[estimator].next(k, high));
  }
  return step;
}

// Before epoch k the loss is above the goal, and not below what the largest steps lead to.
bool never_reaches_zero(const Problem& problem, Estimator estimator) {
  double lowest = problem.start().loss.value;
  for (int k = 1; k <= problem.last_special_epoch(); ++k) {
    const double step = largest_step(problem, estimator, k);
    if (step > std::max(lowest, problem.goal().loss.value)) return false;
    lowest -= step;
  }
  return true;
}

bool has_steps(const Training& training, Estimator estimator) {
  return !training.possible || std::holds_alternative<StepsRule>(training.rule[estimator].shape());
}

}  // namespace

bool is_additive(const Problem& problem, Estimator estimator) {
  return std::ranges::all_of(problem.placements(),
                             [&](const Training& t) { return has_steps(t, estimator); }) &&
         only_adds(problem, estimator) && never_reaches_zero(problem, estimator);
}

Solution solve_with_cbc(const Problem& problem, Estimator estimator, Seconds limit) {
  ESPALIER_CHECK(is_additive(problem, estimator));
  return Milp(problem, estimator).solve(limit);
}

}  // namespace espalier::bench
