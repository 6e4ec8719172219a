// SPDX-License-Identifier: Apache-2.0
// Claim: forecasts of runs that were never seen, not even their seed, come true as often as they
// say, and what a run teaches about itself makes them better. Compared: the estimators as they are,
// without the run's own lessons, without calibration, and the power law alone.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "estimation/forecaster_file.h"
#include "estimation/learning_examples.h"
#include "io/trace_file.h"
#include "program.h"
#include "report.h"

namespace espalier::bench {
namespace {

constexpr std::array<std::size_t, 7> kShown{1, 2, 3, 4, 5, 10, 20};

struct Settings {
  std::vector<std::string> traces;
  std::vector<std::string> fitted;  // to others than the traces of the same number
  int every = 2;
  std::string json;
};

struct Arm {
  std::string name;
  ForecastParts parts;
};

std::vector<Arm> arms() {
  return {{"fitted", {.bounds = false}},
          {"uncorrected", {.correction = false, .bounds = false}},
          {"uncalibrated", {.calibration = false, .bounds = false}},
          {"power law", {.network = false, .bounds = false}}};
}

struct Errors {
  double sum = 0;
  double length = 0;
  int within = 0;
  int above = 0;
  int count = 0;

  void add(const LossRange& said, double came) {
    sum += std::abs(said.mean - came);
    length += said.high - said.low;
    within += said.low <= came && came <= said.high ? 1 : 0;
    above += came > said.high ? 1 : 0;
    ++count;
  }
};

using ErrorsAhead = std::array<Errors, kShown.size()>;

// What had come by the time that `now` is asked.
std::vector<RunExample> lessons(const std::vector<RunExample>& all, std::size_t now) {
  std::vector<RunExample> known;
  const std::size_t length = all[now].history.losses.size();
  for (std::size_t i = now - std::min(now, kMostRecalled); i < now; ++i) {
    RunExample example = all[i];
    if (example.history.stage != all[now].history.stage) continue;
    example.next.resize(std::min(
        {example.next.size(), length - example.history.losses.size(), std::size_t{kEpochsAhead}}));
    if (!example.next.empty()) known.push_back(std::move(example));
  }
  return known;
}

void ask_about(const std::vector<RunExample>& examples, const LearningForecaster& forecaster,
               int every, ErrorsAhead& errors) {
  for (std::size_t i = 0; i < examples.size(); i += static_cast<std::size_t>(every)) {
    const RunCorrection correction = forecaster.correction(lessons(examples, i));
    const auto ahead =
        forecaster.ahead(std::span(&examples[i].history, 1), kShown.back(), correction).front();
    for (std::size_t h = 0; h < kShown.size(); ++h) {
      if (kShown[h] > examples[i].next.size()) break;
      errors[h].add(ahead[kShown[h] - 1], examples[i].next[kShown[h] - 1]);
    }
  }
}

int run(const Settings& settings) {
  Report report("forecasts of runs never seen come true in 88 to 92 % at every horizon",
                {"estimator", "epochs ahead", "MAE", "MIL", "ICP", "above", "forecasts"});
  if (settings.traces.size() != settings.fitted.size())
    throw Error(ErrorCode::BadInput, "each --traces needs a --fitted", "as many of both");
  std::vector<TraceStories> traces;
  for (const std::string& file : settings.traces) traces.push_back(tell_stories(load_traces(file)));
  std::array<double, kShown.size()> best{};
  for (const Arm& arm : arms()) {
    ErrorsAhead errors{};
    for (std::size_t i = 0; i < traces.size(); ++i) {
      const LearningForecaster forecaster = load_forecaster(settings.fitted[i], arm.parts);
      for (const RunStory& story : traces[i].runs) {
        ask_about(run_examples(story, {.ahead = kShown.back()}), forecaster, settings.every,
                  errors);
      }
    }
    for (std::size_t h = 0; h < kShown.size(); ++h) {
      const double count = std::max(1, errors[h].count);
      const double mae = errors[h].sum / count;
      const double covered = errors[h].within / count;
      report.add({arm.name, static_cast<std::int64_t>(kShown[h]), mae, errors[h].length / count,
                  covered, errors[h].above / count, std::int64_t{errors[h].count}});
      if (arm.name == "fitted") {
        best[h] = mae;
        if (covered < 0.88 || covered > 0.92) {
          report.conclude(fmt::format("NOT at {} epochs ahead: {:.3f}", kShown[h], covered));
        }
      } else {
        report.conclude(fmt::format("{} ahead: mean error {:+.1f} % without what '{}' lacks",
                                    kShown[h], 100 * (mae / best[h] - 1), arm.name));
      }
    }
  }
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--traces", settings.traces, "of runs that nobody learnt from; repeatable")
      ->required();
  app.add_option("--fitted", settings.fitted, "the estimators, fitted to others; repeatable")
      ->required();
  app.add_option("--every", settings.every, "ask every so many epochs")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier::bench;
  return run_program(argc, argv, "How wrong forecasts of new runs are.", add_options, run);
}
