// SPDX-License-Identifier: Apache-2.0
// Any course, as the traces would have had it.
//
// Traces know what a network did that was changed after 5, 15, 25, … epochs. The losses of a course
// are a function of its places and of how long it stayed at each:
//  * The first stage is what was traced.
//  * After a change that was traced after a < k < b epochs, a course that made it after k goes
//    between the two traced curves, at (k − a)/(b − a) of the way. After two changes it goes
//    between up to four, and so on.
//  * Before the first and after the last traced epoch of a change the nearest curve holds, raised
//    or lowered by how much the loss right before the change was higher or lower than that of the
//    traced run, for good. So nobody gains by changes that were never tried: leaving too early is
//    never made up for, and staying longer helps as much as it helped to stay.
//  * Past the end of a curve nothing more is learned.
// Losses never fall below 0.
#pragma once

#include <vector>

#include "replay/trace_tree.h"

namespace espalier {

// A value: copy it to imagine how it might go on. Copies share the tree, which must outlive them.
// Copying takes two small arrays; an epoch takes a few additions.
class Replay {
 public:
  Replay(const TraceTree& tree, TracedStageId root);

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
  // A traced stage that has a share in the present one.
  struct Strand {
    TracedStageId stage{};
    double weight = 1;
    double offset = 0;
  };

  void weave(const Strand& from, std::size_t next);

  const TraceTree* tree_;
  TracedStageId root_;
  std::vector<Departure> departures_;
  std::vector<Strand> strands_;
  int epochs_ = 0;  // at the present place
};

}  // namespace espalier
