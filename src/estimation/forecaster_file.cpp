// SPDX-License-Identifier: Apache-2.0
#include "estimation/forecaster_file.h"

#include <cmath>
#include <functional>
#include <string>

#include "core/error.h"
#include "core/infinite.h"

namespace espalier {
namespace {

// Figures one after the other: either written from, or read into, the fields of a tuning, so that
// both name each field once. Owned by one thread.
class Figures {
 public:
  Figures() = default;
  explicit Figures(const Tensor& read) : values_(read.values), is_reading_(true) {}

  // `least` and `most` are what makes sense.
  void figure(double& field, double least, double most) {
    if (!is_reading_) return values_.push_back(static_cast<float>(field));
    const double value = next();
    if (!(value >= least && value <= most)) bad("a figure is out of its bounds");
    field = value;
  }
  template <class Whole>
  void whole(Whole& field, double most) {
    auto value = static_cast<double>(field);
    figure(value, 0, most);
    field = static_cast<Whole>(value);
  }

  Tensor finish() && {
    const auto count = static_cast<std::int64_t>(values_.size());
    return {{count}, std::move(values_)};
  }
  void expect_end() const {
    if (at_ != values_.size()) bad("too many figures");
  }
  bool is_reading() const { return is_reading_; }
  std::size_t left() const { return values_.size() - at_; }

 private:
  [[noreturn]] static void bad(const std::string& what) {
    throw Error(ErrorCode::BadInput, "its calibration makes no sense: " + what, "fit it again");
  }
  double next() {
    if (at_ == values_.size()) bad("figures are missing");
    return values_[at_++];
  }

  std::vector<float> values_{};
  std::size_t at_ = 0;
  bool is_reading_ = false;
};

constexpr double kMost = 1e30;

void pass(Figures& figures, PowerLawPriors& priors) {
  figures.figure(priors.floor, 0, kMost);
  figures.figure(priors.floor_deviation, 0, kMost);
  figures.figure(priors.fall_deviation, 0, kMost);
  figures.figure(priors.noise, 0, kMost);
  figures.figure(priors.noise_weight, 0, kMost);
  figures.figure(priors.fading, 0, 1);
  figures.figure(priors.carry, -1, 1);
  figures.figure(priors.carry_weight, 0, kMost);
  figures.figure(priors.drift, 0, kMost);
  for (double& shape : priors.shapes) figures.figure(shape, 0, kMost);
}

void pass(Figures& figures, Adjustment& adjustment) {
  int stretching = adjustment.stretch == Stretching::Scaled ? 1 : 0;
  int guaranteed = adjustment.is_guaranteed ? 1 : 0;
  figures.whole(stretching, 1);
  figures.figure(adjustment.down, -kInfinite, kMost);
  figures.figure(adjustment.shift, -kMost, kMost);
  figures.figure(adjustment.up, -kInfinite, kMost);
  figures.whole(adjustment.runs, 1e9);
  figures.whole(guaranteed, 1);
  adjustment.stretch = stretching == 1 ? Stretching::Scaled : Stretching::Added;
  adjustment.is_guaranteed = guaranteed == 1;
}

void pass(Figures& figures, HorizonTuning& horizons) {
  for (std::size_t i = 0; i < kHorizons.size(); ++i) {
    figures.figure(horizons.network_share[i], 0, 1);
    pass(figures, horizons.adjustment[i]);
  }
}

void pass(Figures& figures, std::vector<double>& seen) {
  if (figures.is_reading()) seen.assign(std::min(figures.left(), kMostSeen), 0);
  for (double& value : seen) figures.figure(value, 0, kMost);
}

// Each tensor by its name, and the fields that are in it.
void pass_all(ForecastTuning& tuning,
              const std::function<void(const std::string&, const std::function<void(Figures&)>&)>&
                  with_tensor) {
  const auto part = [&](const std::string& name, auto& fields) {
    with_tensor(name, [&](Figures& figures) { pass(figures, fields); });
  };
  part("experience.fresh", tuning.experience.fresh);
  part("experience.changed", tuning.experience.changed);
  part("horizons", tuning.horizons);
  part("change", tuning.change);
  part("seen.prunes", tuning.seen.prunes);
  part("seen.samples", tuning.seen.samples);
  part("seen.classes", tuning.seen.classes);
  with_tensor("rest", [&](Figures& figures) {
    figures.whole(tuning.seen.longest_stage, 1e9);
    figures.figure(tuning.harm.per_share, 0, kMost);
    figures.figure(tuning.fading, 0, kMost);
    figures.figure(tuning.usual.fall, 0, kMost);
    figures.figure(tuning.usual.width, 0, kMost);
    figures.figure(tuning.usual.square, 1e-6, kMost);
  });
}

}  // namespace

Tensors tuning_tensors(const ForecastTuning& tuning) {
  ForecastTuning copy = tuning;
  Tensors tensors;
  pass_all(copy, [&](const std::string& name, const std::function<void(Figures&)>& fields) {
    Figures figures;
    fields(figures);
    tensors.emplace(name, std::move(figures).finish());
  });
  return tensors;
}

ForecastTuning tuning_from(const Tensors& tensors) {
  ForecastTuning tuning;
  std::size_t known = 0;
  pass_all(tuning, [&](const std::string& name, const std::function<void(Figures&)>& fields) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) {
      throw Error(ErrorCode::BadInput, "its calibration lacks '" + name + "'", "fit it again");
    }
    Figures figures(found->second);
    fields(figures);
    figures.expect_end();
    ++known;
  });
  if (known == tensors.size()) return tuning;
  throw Error(ErrorCode::BadInput, "its calibration holds more than this version knows",
              "a file of a later version?");
}

LearningForecaster load_forecaster(const std::filesystem::path& path, const ForecastParts& parts) {
  const FittedEstimators fitted = load_estimators(path);
  try {
    if (fitted.run.empty()) throw Error(ErrorCode::BadInput, "it has no estimator of runs");
    return {fitted.run, fitted.change, tuning_from(fitted.calibration), parts};
  } catch (const Error& error) {
    throw Error(ErrorCode::BadInput, path.string() + ": " + error.what(), error.hint());
  }
}

}  // namespace espalier
