// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/torch_estimators.h"

#include <numeric>
#include <vector>

#include "estimation/network_weights.h"
#include "estimation/torch/change_pass.h"
#include "estimation/torch/run_pass.h"
#include "training/torch/guarded.h"

namespace espalier {
namespace {

std::vector<RunTable> whole_tables(std::span<const History> histories) {
  std::vector<RunTable> tables;
  for (const History& history : histories) {
    check_history(history);
    tables.push_back(run_table({history.losses, history.now, history.stage}));
  }
  return tables;
}

// Of one curve, at its newest loss. The ranges are in the units of the losses' changes.
Forecast newest_forecast(const TorchRanges& ranges, const History& history, int64_t curve) {
  const auto place = static_cast<int64_t>(history.losses.size()) - 1;
  const auto value = [&](const at::Tensor& part, int64_t ahead) {
    return part[place][curve][ahead].item<float>();
  };
  const double newest = history.losses.back();
  const double unit = loss_unit(newest, history.losses.front());
  Forecast forecast;
  for (int64_t i = 0; i < kEpochsAhead; ++i) {
    forecast[static_cast<std::size_t>(i)] = loss_range(
        newest, unit, {value(ranges.mean, i), value(ranges.down, i), value(ranges.up, i)});
  }
  return forecast;
}

TorchRanges in_units(const TorchRanges& ranges, const TorchTensors& weights) {
  const at::Tensor& scale = weights.at("output.scale");
  return {ranges.mean * scale, ranges.down * scale, ranges.up * scale};
}

class TorchRunEstimator final : public RunEstimator {
 public:
  explicit TorchRunEstimator(const Tensors& weights) : weights_(torch_tensors(weights)) {}

  std::vector<Forecast> forecast(std::span<const History> histories) const override {
    if (histories.empty()) return {};
    return guarded([&] { return forecast_all(histories); });
  }

 private:
  std::vector<Forecast> forecast_all(std::span<const History> histories) const {
    const at::NoGradGuard no_grad;
    at::set_num_threads(1);
    const std::vector<RunTable> tables = whole_tables(histories);
    std::vector<const RunTable*> all;
    for (const RunTable& table : tables) all.push_back(&table);
    const TorchRanges ranges = in_units(run_pass(weights_, run_batch(all)), weights_);
    std::vector<Forecast> forecasts;
    for (std::size_t i = 0; i < histories.size(); ++i) {
      forecasts.push_back(newest_forecast(ranges, histories[i], static_cast<int64_t>(i)));
    }
    return forecasts;
  }

  TorchTensors weights_;
};

// Only the inputs matter.
ChangeTable table_of(std::span<const Pruning> changes) {
  std::vector<ChangeExample> examples;
  for (const Pruning& change : changes) {
    check_change(change);
    examples.push_back({change, 0});
  }
  return change_table(examples);
}

class TorchChangeEstimator final : public ChangeEstimator {
 public:
  explicit TorchChangeEstimator(const Tensors& weights) : weights_(torch_tensors(weights)) {}

  std::vector<LossRange> after(std::span<const Pruning> changes) const override {
    return guarded([&] { return all_after(changes); });
  }

 private:
  std::vector<LossRange> all_after(std::span<const Pruning> changes) const {
    const at::NoGradGuard no_grad;
    at::set_num_threads(1);
    std::vector<std::uint32_t> rows(changes.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto [mean, down, up] = change_pass(weights_, change_batch(table_of(changes), rows));
    const auto scale = weights_.at("output.scale").item<double>();
    std::vector<LossRange> after;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const auto row = static_cast<int64_t>(i);
      after.push_back(
          loss_range(changes[i].before.back(), scale,
                     {mean[row].item<float>(), down[row].item<float>(), up[row].item<float>()}));
    }
    return after;
  }

  TorchTensors weights_;
};

}  // namespace

std::unique_ptr<RunEstimator> torch_run_estimator(const Tensors& weights) {
  run_shape(weights);
  return guarded([&] { return std::make_unique<TorchRunEstimator>(weights); });
}

std::unique_ptr<ChangeEstimator> torch_change_estimator(const Tensors& weights) {
  change_shape(weights);
  return guarded([&] { return std::make_unique<TorchChangeEstimator>(weights); });
}

}  // namespace espalier
