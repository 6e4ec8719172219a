// SPDX-License-Identifier: Apache-2.0
// How long forecasts and roll-outs take: 9 placements, curves of 200 epochs, 200 members.
#include "estimation/network_forecast.h"

#include <cmath>
#include <cstdlib>

#include <benchmark/benchmark.h>

#include "estimation/curve_lanes.h"
#include "estimation/network_weights.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

constexpr std::size_t kPlacements = 9;
constexpr std::size_t kMembers = 200;
constexpr int kEpochs = 200;

Tensors random_run_weights(std::int64_t hidden) {
  const CounterRng rng(1);
  Tensors weights;
  std::uint64_t stream = 0;
  for (const auto& [name, shape] : weight_specs(RunShape{.hidden = hidden})) {
    std::size_t count = 1;
    for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
    Tensor tensor{shape, std::vector<float>(count, 1.0F)};
    ++stream;
    for (std::size_t i = 0; i < count && shape.size() == 2; ++i) {
      tensor.values[i] = static_cast<float>(0.3 * rng.uniform({0, stream, i}) - 0.15);
    }
    weights.emplace(name, std::move(tensor));
  }
  return weights;
}

std::vector<History> placements(int epochs) {
  History history{{}, {0.5, 5000, 10}, 0};
  for (int k = 0; k <= epochs; ++k) history.losses.push_back(0.2 + 2.1 / std::sqrt(k + 1.0));
  return std::vector<History>(kPlacements, history);
}

void check_forecast(const Forecast& forecast) {
  if (!(forecast[0].low <= forecast[0].mean && forecast[0].mean <= forecast[0].high)) std::abort();
}

void forecasts_of_long_histories(benchmark::State& state) {
  const NetworkRunEstimator estimator(random_run_weights(state.range(0)));
  const std::vector<History> histories = placements(kEpochs);
  for (auto _ : state) check_forecast(estimator.forecast(histories).front());
}

// The mean ones, epoch after epoch.
void expected_losses(const std::vector<Forecast>& forecasts, std::vector<double>& losses) {
  for (std::size_t i = 0; i < losses.size(); ++i) {
    losses[i] = forecasts[i % forecasts.size()][i / forecasts.size()].mean;
  }
}

// Each member reads a loss of its own in each epoch, and forecasts every `stride` epochs.
void rolled_out_ensemble(benchmark::State& state) {
  const NetworkRunEstimator estimator(random_run_weights(state.range(0)));
  const auto stride = static_cast<std::size_t>(state.range(1));
  const CurveLanes start(estimator.network(), placements(10));
  std::vector<Forecast> forecasts(kPlacements * kMembers);
  std::vector<double> losses(stride * forecasts.size());
  for (auto _ : state) {
    CurveLanes members = start.repeated(kMembers);
    for (std::size_t k = 0; k < kEpochs; k += stride) {
      members.forecast(forecasts);
      expected_losses(forecasts, losses);
      members.read(losses);
    }
    check_forecast(forecasts.back());
  }
}

BENCHMARK(forecasts_of_long_histories)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK(rolled_out_ensemble)
    ->Args({32, 1})
    ->Args({32, 5})
    ->Args({24, 5})
    ->Args({16, 1})
    ->Args({16, 5})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace espalier
