// SPDX-License-Identifier: Apache-2.0
// What came out of fitting: everything that reports tell, as plain figures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "estimation/estimator_file.h"
#include "estimation/fit_options.h"
#include "estimation/learning_forecaster.h"
#include "estimation/metrics.h"
#include "estimation/trace_stories.h"
#include "fitting/voices.h"

namespace espalier {

// What an estimator is about.
enum class Subject { Run, Change };

// Of the paper's table I, one row.
struct VoiceFigures {
  Voice voice = Voice::Naive;
  MetricsSpread spread{};             // mean ± deviation over folds and near horizons
  Metrics pooled{};                   // all folds and near horizons together
  std::vector<Metrics> by_horizon{};  // all folds together, for each horizon
};

// Of the losses, this share should be and was within ranges of that level. Other levels than 0.9
// follow from the range as if either side were half a normal distribution.
struct Reliability {
  double nominal = 0;
  double raw = 0;         // of the blend
  double calibrated = 0;  // of the calibrated one
};

// One network's fit.
struct NetworkFit {
  std::size_t learned = 0;  // runs
  std::size_t validating = 0;
  std::size_t judging = 0;  // 0 for the one that is kept
  FitProgress last{};
  FitEnd end = FitEnd::Settled;
};

// A prediction that went wrong.
struct WorstCase {
  std::string run;
  int epoch = 0;          // after which was asked; of changes not known
  std::size_t ahead = 0;  // epochs; 0 for changes
  double from = 0;        // changes: share that was gone before,
  double to = 0;          // and after
  LossRange said{};       // by the calibrated one
  double came = 0;
};

// How one estimator was fitted and judged.
struct EstimatorReport {
  std::string missing{};  // why it was not fitted; the rest is empty then
  std::size_t runs = 0;   // that can be learnt from
  std::size_t questions = 0;
  std::size_t folds = 0;
  bool judged_by_seeds = false;  // folds are of whole families
  double loss_range = 0;         // from the smallest to the largest loss that came
  std::vector<std::size_t> horizons{};
  std::vector<VoiceFigures> voices{};
  std::vector<double> network_share{};  // of the blend, for each horizon
  std::vector<bool> is_guaranteed{};    // there were enough runs for the calibration to promise
  std::vector<Reliability> reliability{};
  std::vector<WorstCase> worst{};  // the worst first
  std::vector<NetworkFit> fits{};  // of the folds, then the one that is kept
};

// A run as it was, and as it was predicted from some of its epochs.
struct SampleCurve {
  struct Point {
    int epoch = 0;
    double loss = 0;
    bool is_own = false;  // not of a run that it grew from
  };
  struct Prediction {
    std::size_t ahead = 0;
    LossRange said{};
  };
  struct Start {
    int epoch = 0;
    double loss = 0;
    std::vector<Prediction> predictions{};
  };
  std::string run;
  Conditions now{};
  std::vector<Point> points{};
  std::vector<Start> starts{};
};

struct FitResult {
  EstimatorReport run{};
  EstimatorReport change{};
  std::vector<SampleCurve> samples{};
  Leftovers leftovers{};
  std::size_t rows = 0;
  std::size_t runs = 0;
  ForecastTuning tuning{};    // of the estimators that are kept
  FittedEstimators fitted{};  // without origin
};

}  // namespace espalier
