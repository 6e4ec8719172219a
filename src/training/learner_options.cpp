// SPDX-License-Identifier: Apache-2.0
#include "training/learner_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/error.h"

namespace espalier {
namespace {

void require_option(bool holds, const std::string& what) {
  if (!holds) throw Error(ErrorCode::BadInput, "learner: " + what);
}

bool is_within(double value, double low, double high) { return value >= low && value <= high; }

void check(const PixelScale& scale) {
  require_option(std::isfinite(scale.mean), "the mean of the pixels must be finite");
  require_option(is_within(scale.deviation, 1e-6, 1e6),
                 "the deviation of the pixels must be positive");
}

double cosine(double progress) { return (1 + std::cos(std::numbers::pi * progress)) / 2; }

double share_left(const Schedule& schedule, int epoch) {
  switch (schedule.kind) {
    case RateSchedule::Constant:
      return 1;
    case RateSchedule::Cosine:
      return cosine(static_cast<double>(std::min(epoch, schedule.epochs)) / schedule.epochs);
    case RateSchedule::Step:
      return std::pow(schedule.factor, epoch / schedule.epochs);
  }
  report_bug("a schedule has a known kind", __FILE__, __LINE__);
}

}  // namespace

void validate(const LearnerOptions& options) {
  require_option(options.batch > 0, "the batch must be at least 1");
  require_option(is_within(options.learning_rate, 0, 1e6),
                 "the learning rate must be finite and ≥ 0");
  require_option(options.momentum >= 0 && options.momentum < 1,
                 "the momentum must be ≥ 0 and below 1");
  require_option(is_within(options.weight_decay, 0, 1e6),
                 "the weight decay must be finite and ≥ 0");
  require_option(options.schedule.epochs > 0, "a schedule must last at least 1 epoch");
  require_option(is_within(options.schedule.factor, 0, 1),
                 "a schedule's factor must be within 0 … 1");
  for (const PixelScale& scale : options.scales) check(scale);
  require_option(options.jitter >= 0, "the jitter must be ≥ 0 pixels");
  require_option(options.threads > 0, "there must be at least 1 thread");
}

double learning_rate_at(const LearnerOptions& options, int epoch) {
  return options.learning_rate * share_left(options.schedule, epoch);
}

}  // namespace espalier
