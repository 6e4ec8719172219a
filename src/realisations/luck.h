// SPDX-License-Identifier: Apache-2.0
// What noise does to a run: the normal draws behind it, and the factors they become.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/portable_math.h"
#include "core/problem.h"
#include "realisations/rng.h"

namespace espalier {

// The different spreads of the placements, and those of the jumps, in increasing order; noiseless
// ones included.
std::vector<NoiseSpec> decrease_noises(const Problem& problem);
std::vector<double> jump_noises(const Problem& problem);

// What is known of the luck that all epochs of a run have in common; of a run that is yet to begin,
// nothing.
struct LuckKnown {
  double mean = 0;
  double deviation = 1;
};

// The standard normal draws of one run of a seed, but for what is known of its luck. Those of epoch
// k depend on nothing else. Immutable.
class RunDraws {
 public:
  RunDraws(std::uint64_t seed, std::uint64_t run, const LuckKnown& known = {})
      : rng_(seed), run_(run), known_(known) {}

  double of_run() const;
  double of_epoch(int epoch) const;
  double of_switch(int epoch) const;

  // The same for this run and the ones that follow it: z[i] is for run + i.
  void of_runs(std::span<double> z) const;
  void of_epochs(int epoch, std::span<double> z) const;
  void of_switches(int epoch, std::span<double> z) const;

 private:
  DrawKey of(std::uint64_t stream, int epoch) const;

  CounterRng rng_;
  std::uint64_t run_;
  LuckKnown known_;
};

// exp(σz − σ²/2): mean 1.
inline double lognormal(double sigma, double z) {
  return sigma == 0 ? 1 : portable_exp(sigma * z - 0.5 * sigma * sigma);
}

// What multiplies the decrease of epoch number `epoch` (the factor of the run times that of the
// epoch), and what multiplies the addend of a jump before it. Draws only what is needed.
double luck_of_decrease(const RunDraws& draws, const NoiseSpec& noise, int epoch);
double luck_of_jump(const RunDraws& draws, double sigma, int epoch);

inline Jump with_luck(const Jump& jump, double luck) { return {jump.add * luck, jump.scale}; }

}  // namespace espalier
