// SPDX-License-Identifier: Apache-2.0
#include "estimation/fresh_estimator.h"

#include <cmath>
#include <string_view>

#include "realisations/rng.h"

namespace espalier {
namespace {

// Less than this much deviation is none: the input is the same in all examples.
constexpr double kLeastDeviation = 1e-4;

// Mean and deviation, one number after the other.
class Moments {
 public:
  void add(double value) {
    ++count_;
    const double away = value - mean_;
    mean_ += away / count_;
    squares_ += away * (value - mean_);
  }
  double mean() const { return mean_; }
  double deviation() const { return count_ > 0 ? std::sqrt(squares_ / count_) : 0; }
  // Around 0.
  double size() const { return std::hypot(mean_, deviation()); }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

float scale_or_one(double deviation) {
  return deviation < kLeastDeviation ? 1.0F : static_cast<float>(deviation);
}

// The unit of targets: tiny ones are targets all the same.
float unit_or_one(double size) { return size < 1e-30 ? 1.0F : static_cast<float>(size); }

void set(Tensors& weights, const std::string& name, std::vector<float> values) {
  Tensor& tensor = weights.at(name);
  tensor.values = std::move(values);
}

template <std::size_t N>
void set_standard(Tensors& weights, const std::string& name, const std::array<Moments, N>& seen) {
  std::vector<float> mean;
  std::vector<float> deviation;
  for (const Moments& moments : seen) {
    mean.push_back(static_cast<float>(moments.mean()));
    deviation.push_back(scale_or_one(moments.deviation()));
  }
  set(weights, name + ".mean", std::move(mean));
  set(weights, name + ".deviation", std::move(deviation));
}

template <std::size_t N>
void add_all(std::array<Moments, N>& moments, const std::array<float, N>& values) {
  for (std::size_t i = 0; i < N; ++i) moments[i].add(values[i]);
}

// Uniform within ±1/√inputs, as is usual.
Tensor random_layer(const WeightSpec& spec, std::uint64_t seed, std::uint64_t stream) {
  Tensor tensor{spec.shape, {}};
  std::int64_t count = 1;
  for (const std::int64_t size : spec.shape) count *= size;
  const double width = 1 / std::sqrt(static_cast<double>(spec.shape.back()));
  const CounterRng rng(seed);
  for (std::int64_t i = 0; i < count; ++i) {
    const double draw = rng.uniform({0, stream, static_cast<std::uint64_t>(i)});
    tensor.values.push_back(static_cast<float>(width * (2 * draw - 1)));
  }
  return tensor;
}

Tensor zeros(const WeightSpec& spec) {
  std::size_t count = 1;
  for (const std::int64_t size : spec.shape) count *= static_cast<std::size_t>(size);
  return {spec.shape, std::vector<float>(count)};
}

Tensors random_layers(const std::vector<WeightSpec>& specs, std::uint64_t seed) {
  Tensors weights;
  std::uint64_t stream = 0;
  for (const WeightSpec& spec : specs) {
    const bool is_random = spec.name.ends_with(".weight");
    weights.emplace(spec.name, is_random ? random_layer(spec, seed, ++stream) : zeros(spec));
  }
  return weights;
}

// Memories last from the start on: their forget gates begin open.
void open_forget_gates(Tensors& weights, std::int64_t hidden) {
  std::vector<float>& bias = weights.at("lstm.bias").values;
  for (std::int64_t i = hidden; i < 2 * hidden; ++i) bias[static_cast<std::size_t>(i)] = 1;
}

bool is_learned(const RunTable::Ahead& weights) { return weights.front() > 0; }

struct RunMoments {
  std::array<Moments, kLossInputs> losses;
  std::array<Moments, kPlaceInputs> places;
  std::array<Moments, kEpochsAhead> targets;
};

void add_table(RunMoments& moments, const RunTable& table) {
  for (std::size_t place = 0; place < table.losses.size(); ++place) {
    add_all(moments.losses, table.losses[place]);
    if (!is_learned(table.weights[place])) continue;
    add_all(moments.places, table.places[place]);
    for (std::size_t i = 0; i < kEpochsAhead; ++i) {
      if (table.weights[place][i] > 0) moments.targets[i].add(table.targets[place][i]);
    }
  }
}

}  // namespace

Tensors fresh_weights(const RunShape& shape, std::span<const RunTable> tables, std::uint64_t seed) {
  Tensors weights = random_layers(weight_specs(shape), seed);
  open_forget_gates(weights, shape.hidden);
  RunMoments moments;
  for (const RunTable& table : tables) add_table(moments, table);
  set_standard(weights, "losses", moments.losses);
  set_standard(weights, "places", moments.places);
  std::vector<float> scales;
  for (const Moments& targets : moments.targets) scales.push_back(unit_or_one(targets.size()));
  set(weights, "output.scale", std::move(scales));
  return weights;
}

Tensors fresh_weights(const ChangeShape& shape, const ChangeTable& table, std::uint64_t seed) {
  Tensors weights = random_layers(weight_specs(shape), seed);
  std::array<Moments, kChangeInputs> inputs;
  for (const auto& row : table.inputs) add_all(inputs, row);
  Moments targets;
  for (const float target : table.targets) targets.add(target);
  set_standard(weights, "change", inputs);
  set(weights, "output.scale", {unit_or_one(targets.size())});
  return weights;
}

}  // namespace espalier
