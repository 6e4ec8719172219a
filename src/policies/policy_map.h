// SPDX-License-Identifier: Apache-2.0
// Where epochs and changes lead on a grid of losses, times and luck: the same whatever a miss
// costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.h"
#include "policies/landing.h"
#include "policies/luck_values.h"
#include "search/loss_grid.h"

namespace espalier {

// How fine a policy's grid is.
struct PolicyResolution {
  std::size_t losses = 300;  // levels between the goal and the highest loss
  std::size_t times = 500;   // steps until the deadline
};

// The same resolution, or a coarser one if the values of a policy would need too much memory.
PolicyResolution affordable(const Problem& problem, PolicyResolution wanted);

// A duration in steps of the time grid.
struct TimeSteps {
  std::uint32_t whole = 0;
  float share = 0;  // of one more
};

// Losses: knot 0 is the goal's and stands for "just above the goal". Times: knot 0 is the start,
// the last one the deadline; in between equal steps. Luck: values of A, denser where runs are just
// lucky enough. Immutable; refers to the problem.
class PolicyMap {
 public:
  // Weights on neighbouring knots of the loss.
  struct Row {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t at = 0;  // of the first weight
  };
  // A placement that can train.
  struct Target {
    PlacementId placement{};
    std::uint32_t site = 0;
    float energy = 0;   // of an epoch
    TimeSteps time;     // of an epoch
    double latest = 0;  // in steps: an epoch that begins later ends after the deadline
    Joules once{};
    std::uint64_t once_mark = 0;
    std::vector<Row> rows;  // for each knot: where an epoch lands above the goal
    std::vector<LuckValues> weights;

    // Whether an epoch that begins then ends by the deadline, but for rounding.
    bool is_in_time(double begin) const { return begin <= latest + 1e-6; }
  };
  // A change, from a site to a target.
  struct Move {
    std::uint32_t target = 0;
    std::uint32_t jump = 0;
    float energy = 0;
    TimeSteps time;
  };
  // What changes do to the loss; the first kind does nothing and has no landings.
  struct JumpKind {
    Jump jump;
    double spread = 0;
    std::vector<WeightedJump> each;
    std::vector<JumpLanding> landings;  // knot × each
    std::size_t knots = 0;              // the landings of higher ones are too high
  };

  PolicyMap(const Problem& problem, PolicyResolution resolution);

  const Problem& problem() const { return *problem_; }
  const LossGrid& losses() const { return losses_; }
  std::size_t time_knots() const { return steps_ + 1; }
  Seconds time_knot(std::size_t i) const { return start_ + step_ * static_cast<double>(i); }
  // A time in steps since the start.
  double in_steps(Seconds time) const { return (time - start_) / step_; }
  const PerLuck<double>& luck() const { return luck_; }

  const std::vector<Target>& targets() const { return targets_; }
  const std::vector<JumpKind>& jumps() const { return jumps_; }
  // Sites are model and node set: changes do not depend on the rest of a placement.
  std::size_t sites() const { return moves_.size(); }
  std::size_t site_of(PlacementId placement) const { return site_of_[placement.pos()]; }
  // Ordered by jump.
  std::span<const Move> moves_from(std::size_t site) const { return moves_[site]; }
  // Plans must not go there.
  bool is_too_high(const Jump& jump, double loss) const {
    const double after = jump.apply(loss);
    return after > problem_->ceiling() && after > loss;
  }
  std::int64_t bytes() const;

 private:
  void set_luck();
  void add_sites();
  void add_targets();
  void add_rows(Target& target) const;
  void add_moves();
  std::uint32_t jump_like(const Change& change);
  TimeSteps steps_of(Seconds time) const;

  const Problem* problem_;
  LossGrid losses_;
  std::size_t steps_;
  Seconds start_;
  Seconds step_;
  PerLuck<double> luck_{};
  std::vector<std::uint32_t> site_of_;   // by placement
  std::vector<PlacementId> example_of_;  // by site: a placement there
  std::vector<Target> targets_;
  std::vector<std::vector<Move>> moves_;  // by site
  std::vector<JumpKind> jumps_;
};

}  // namespace espalier
