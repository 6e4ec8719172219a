// SPDX-License-Identifier: Apache-2.0
#include "simulation/reality.h"

#include "realisations/truth.h"

namespace espalier {
namespace {

class DrawnReality final : public Reality {
 public:
  explicit DrawnReality(const Truth& truth) : truth_(truth) {}

  std::optional<State> advance(const State& from, PlacementId to) override {
    arrival_ = truth_.arrival(from, to);
    return truth_.advance(from, to);
  }
  std::optional<Loss> arrival() const override { return arrival_; }

 private:
  const Truth truth_;
  std::optional<Loss> arrival_;
};

}  // namespace

MakeReality reality_of(const Problem& actual) {
  return [&actual](std::uint64_t seed, std::size_t run) {
    return std::make_unique<DrawnReality>(Truth(actual, seed, run));
  };
}

}  // namespace espalier
