// SPDX-License-Identifier: Apache-2.0
#include "trainer/fit_progress.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "render/figures.h"

namespace espalier {
namespace {

std::string name_of(const FittingNews& news) {
  const char* what = news.what == Subject::Run ? "runs" : "changes";
  if (news.fold == news.folds) return fmt::format("{}, all folds together", what);
  return fmt::format("{}, fold {} of {}", what, news.fold + 1, news.folds);
}

}  // namespace

// Networks of runs take nearly all the time, and settle at about the same epoch.
double FitProgressLine::share_done(const FittingNews& news) {
  if (news.what == Subject::Change) return 1;
  newest_epoch_.resize(news.folds + 1, 0);
  newest_epoch_[news.fold] = news.network.epoch;
  const int longest = *std::ranges::max_element(newest_epoch_);
  const double expected =
      news.done > 0 ? longest : std::max<double>(longest, 0.5 * static_cast<double>(most_epochs_));
  double epochs = 0;
  for (const int epoch : newest_epoch_) epochs += epoch;
  return epochs / (expected * static_cast<double>(newest_epoch_.size()));
}

void FitProgressLine::tell(const FittingNews& news) {
  const double done = share_done(news);
  if (!line_.is_due()) return;
  std::string text =
      fmt::format("fitting: {} of {} networks; {}: epoch {}, validation loss {:.4g}", news.done,
                  news.total, name_of(news), news.network.epoch, news.network.validation_loss);
  if (done > 0 && done < 1) {
    const double left = line_.elapsed().value * (1 - done) / done;
    text += fmt::format(", about {} left", duration(Seconds{std::ceil(left)}));
  }
  line_.tell(text);
}

}  // namespace espalier
