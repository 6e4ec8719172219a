// SPDX-License-Identifier: Apache-2.0
// Any course, as the traces would have had it.
//
// Traces know what a network did that was changed after 5, 15, 25, … epochs. The losses of a course
// are a function of its places and of how long it stayed at each:
//  * The first stage is what was traced.
//  * After a change that was traced after a < k < b epochs, a course that made it after k goes
//    between the two traced curves, as far along as the loss after k epochs is between those after
//    a and after b: what a network makes of a change depends on how good it was, not on how long
//    that took (bench/replay_error). As far as k is between a and b where the loss stood still.
//    After two changes it goes between up to four, and so on.
//  * Before the first and after the last traced epoch of a change, the loss right before it was by
//    some d higher or lower than that of the nearest traced run. At each epoch the nearest curve is
//    raised by the share of d that such a difference was worth at that epoch between this curve and
//    the next traced one: from nothing, so that nobody gains by knowing less, to all of it. All of
//    it if nothing else was traced. It is lowered likewise, but in proportion: half of d if its
//    loss is half of that before the change.
//  * Past the end of a curve nothing more is learned.
// Losses never fall below 0.
#pragma once

#include <vector>

#include "replay/trace_tree.h"

namespace espalier {

// A value: copy it to imagine how it might go on. Copies share the tree, which must outlive them.
// Copying takes two small arrays; an epoch takes a few multiplications.
class Replay {
 public:
  Replay(const TraceTree& tree, TracedStageId root);

  std::uint64_t seed() const { return tree_->stage(root_).seed; }
  TracedPlaceId place() const;
  // Right after the last change or epoch.
  double loss() const;
  // Whether the last epoch was past the end of a curve that has a share in it.
  bool is_beyond() const;

  // Whether it was ever traced that a course by the same places went on to `to`.
  bool can_change(TracedPlaceId to) const;
  // REQUIRES: can_change(to).
  void change(TracedPlaceId to);
  void train() { ++epochs_; }

  // Whether another epoch here would teach nothing: nobody knows.
  bool is_at_end() const;

 private:
  // Left after so many epochs for that place.
  struct Departure {
    int after = 0;
    TracedPlaceId to{};
  };
  // How the present curve is woven: a traced one, one between two, or one beyond two.
  struct Knot {
    enum class Kind { Traced, Between, Beyond };
    Kind kind = Kind::Traced;
    TracedStageId stage{};  // Traced
    std::size_t near = 0;   // others: the knots it is made of
    std::size_t far = 0;    // the same as `near` if there is one only
    double share = 0;       // Between: of the way from near to far
    double ahead = 0;       // Beyond: d
    double before = 0;      // Beyond: the loss before near
    double apart = 0;       // Beyond: by how much the loss before near was higher than before far
  };

  std::size_t weave(TracedStageId from, std::size_t next);
  std::size_t tie(const Knot& knot);
  double loss_of(const Knot& knot) const;

  const TraceTree* tree_;
  TracedStageId root_;
  std::vector<Departure> departures_;
  std::vector<Knot> knots_;  // the last one is the present curve
  int epochs_ = 0;           // at the present place
};

}  // namespace espalier
