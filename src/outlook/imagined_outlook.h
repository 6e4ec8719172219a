// SPDX-License-Identifier: Apache-2.0
// Estimates renewed after every epoch, by imagining how the run might go on.
//
// Problem. Strategies want a rule for each placement, which gives the next loss from the loss
// alone, and a jump for each change of models. Whoever imagines knows more: the whole history.
//
// Idea. Imagine the run going on where it is, and going to each other placement: right away where
// that is possible, otherwise by the fewest changes, with some epochs in between. The curve that is
// imagined at a placement, from its arrival on, becomes its rule. Changes are imagined at several
// losses along the curve of where they begin, with all that follows: what arriving then is worth on
// the curve of the rule becomes a line. What is far away is imagined roughly, and again when it is
// nearer. All in one call.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "outlook/imagination.h"
#include "simulation/outlook.h"

namespace espalier {

struct OutlookOptions {
  // Longest curve that is imagined; time and deadline may need less.
  int epochs = 200;
  // Epochs at a placement that is only passed through.
  int passing_epochs = 5;
  // From which the noise is learnt.
  std::size_t ways = 200;
  // The longest stay at each placement that is known to be possible; empty: any. Nothing is learnt
  // later.
  std::vector<int> longest_stays{};
};

// What strategies are to believe: Problem::with_views.
struct Beliefs {
  std::vector<LearningView> learning{};
  std::vector<JumpView> jumps{};
};

// After `course`.
Beliefs imagine_beliefs(const Problem& base, const Imagination& imagination, const Plan& course,
                        const OutlookOptions& options);

// Owned by one thread. Borrows what it is made of.
class ImaginedOutlook final : public Outlook {
 public:
  // Placements that are not `imagined` keep the rules of `base`; without a word, all are.
  ImaginedOutlook(const Problem& base, const Imagination& imagination,
                  const OutlookOptions& options = {}, std::vector<bool> imagined = {})
      : base_(base), imagination_(imagination), options_(options), imagined_(std::move(imagined)) {}

  Problem after(const Plan& course) override;

 private:
  const Problem& base_;
  const Imagination& imagination_;
  OutlookOptions options_;
  std::vector<bool> imagined_;
};

}  // namespace espalier
