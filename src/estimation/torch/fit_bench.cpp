// SPDX-License-Identifier: Apache-2.0
// How long fitting takes: the paper's grid of 312 runs, of up to 100 epochs.
#include <cstdlib>

#include <benchmark/benchmark.h>

#include "estimation/network_forecast.h"
#include "estimation/torch/fit_estimators.h"
#include "estimation/torch/synthetic_curves.h"
#include "estimation/torch/torch_estimators.h"

namespace espalier {
namespace {

std::vector<RunSequence> grid() { return support::synthetic_curves(0, 312, {.epochs = 100}); }

// At most so many epochs, with so many units.
void fit_the_grid(benchmark::State& state) {
  const auto learned = grid();
  const auto validation = support::synthetic_curves(1000, 60, {.epochs = 100});
  const FitOptions options{.most_epochs = static_cast<int>(state.range(0)),
                           .hidden = static_cast<int>(state.range(1))};
  FittedNetwork fitted;
  for (auto _ : state) {
    fitted = fit_run_estimator({learned, validation}, options, {});
    if (fitted.end == FitEnd::Divergent) std::abort();
  }
  state.counters["epochs"] = fitted.last.epoch;
  state.counters["best"] = fitted.last.best_epoch;
  state.counters["loss"] = fitted.last.best_validation_loss;
}

void torch_forecasts_of_long_histories(benchmark::State& state) {
  const auto curves = support::synthetic_curves(0, 9, {.epochs = 200});
  const FittedNetwork fitted = fit_run_estimator({curves, curves}, {.most_epochs = 1}, {});
  const auto estimator = torch_run_estimator(fitted.weights);
  std::vector<History> histories;
  for (const RunSequence& curve : curves) histories.push_back({curve.losses, curve.now, 0});
  for (auto _ : state) benchmark::DoNotOptimize(estimator->forecast(histories));
}

BENCHMARK(torch_forecasts_of_long_histories)->Unit(benchmark::kMillisecond);
BENCHMARK(fit_the_grid)
    ->Args({5, 32})
    ->Args({400, 32})
    ->Args({400, 24})
    ->Args({400, 16})
    ->Iterations(1)
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace espalier
