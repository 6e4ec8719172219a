// SPDX-License-Identifier: Apache-2.0
// One realisation of a noisy problem as somebody sees it who knows all its luck: what every change
// and every epoch will do, epoch by epoch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.h"
#include "realisations/luck.h"

namespace espalier {

// The changes between the placements of a problem, each with the epoch that follows it. The same
// for all realisations. Immutable; refers to the problem.
class Ways {
 public:
  struct Way {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double energy = 0;
    double time = 0;
    Jump jump;
    std::uint32_t jump_luck = 0;  // position of its noise among jump_noises()
  };

  explicit Ways(const Problem& actual);

  std::size_t placements() const { return first_.size() - 1; }
  std::span<const Way> from(std::size_t placement) const {
    return {ways_.data() + first_[placement], ways_.data() + first_[placement + 1]};
  }
  const std::vector<Way>& all() const { return ways_; }
  const std::vector<double>& jump_noises() const { return jump_noises_; }
  const Problem& problem() const { return *problem_; }

 private:
  const Problem* problem_;
  std::vector<double> jump_noises_;
  std::vector<Way> ways_;
  std::vector<std::size_t> first_;
};

// Problem.    A lucky factor may make an epoch that begins at a higher loss end at a lower one;
// then
//             "a lower loss is never worse" is wrong, and with it dominance and bounds.
// Idea.       Over the losses that can occur in that epoch, the rule is replaced by the highest
//             rule below it that never falls. That is a relaxation: what is proved with it bounds
//             every plan from below, and a plan that costs no more when replayed in earnest is the
//             best. Where nothing falls, nothing is replaced.
// Epochs are looked at when first asked for. Owned by one thread; refers to the ways.
class Foresight {
 public:
  Foresight(const Ways& ways, std::uint64_t seed, std::uint64_t run);

  // A placement after a given epoch, whatever was done before.
  struct Spot {
    bool is_reachable = false;  // in time
    double luck = 1;            // of the decrease in this epoch
    double least_loss = 0;      // over all that can be done before
    double most_loss = 0;
    double most_arrival = 0;  // the same, before the epoch
    double least_energy = 0;
    double least_time = 0;
    double rising_up_to = 0;  // the rule never falls up to this loss …
    double tail = 0;          // … and the least loss after an epoch that begins above it
  };

  // Looks at all epochs up to this one. False if no placement can complete it before the deadline,
  // or it is beyond what is looked at at all.
  bool reaches(int epoch);
  // How many epochs have been looked at, all of which can be completed.
  int epochs() const { return static_cast<int>(spots_.size() / size_) - 1; }
  // False if there may be plans with more epochs than are looked at.
  bool is_whole() const { return is_whole_; }
  // Whether some rule was replaced by a lower one.
  bool is_relaxed() const { return is_relaxed_; }

  const Spot& spot(int epoch, std::size_t placement) const {
    return spots_[static_cast<std::size_t>(epoch) * size_ + placement];
  }
  Jump jump(int epoch, const Ways::Way& way) const {
    return with_luck(
        way.jump,
        jump_luck_[static_cast<std::size_t>(epoch) * ways_->jump_noises().size() + way.jump_luck]);
  }
  // The loss after epoch number `epoch` at `placement` that is begun with `loss`; relaxed.
  double train(int epoch, std::size_t placement, double loss) const;
  // The largest loss to begin the epoch with so that it ends at `loss` or below.
  double largest_before(int epoch, std::size_t placement, double loss) const;
  // The loss after the change and the epoch.
  double after(int epoch, const Ways::Way& way, double loss) const {
    return train(epoch, way.to, jump(epoch, way).apply(loss));
  }

  const Ways& ways() const { return *ways_; }
  const Problem& problem() const { return ways_->problem(); }

 private:
  void look_at(int epoch);
  void arrive(const Spot& from, const Ways::Way& way, int epoch, std::vector<Spot>& spots) const;
  void complete(Spot& spot, int epoch, const Training& training) const;

  const Ways* ways_;
  const RunDraws draws_;
  const std::size_t size_;
  std::vector<Spot> spots_;        // epoch by epoch, from 0
  std::vector<double> jump_luck_;  // the same
  bool is_whole_ = true;
  bool has_ended_ = false;
  bool is_relaxed_ = false;
};

}  // namespace espalier
