// SPDX-License-Identifier: Apache-2.0
#include "runner/round_line.h"

#include <cmath>

#include <fmt/format.h>

#include "cli/console.h"
#include "io/wording.h"
#include "render/figures.h"

namespace espalier {
namespace {

// With less, nobody knows how long it will take.
constexpr double kTelling = 0.05;

std::string left_text(double done, double lately, Seconds time) {
  if (lately < kTelling) return "";
  return ", about " + duration(Seconds{std::ceil(time.value * (1 - done) / lately)}) + " left";
}

}  // namespace

std::string round_text(const RunSetup& setup, const RoundProgress& now, Watched since) {
  const Placement& at = setup.problem.training(now.placement).at;
  const std::string epoch = fmt::format("epoch {} · ", now.round.epoch + 1);
  if (!now.awaited.empty()) {
    std::vector<std::string> names;
    for (const NodeName& name : now.awaited) names.push_back(name.value);
    return "waiting for " + listed(names);
  }
  switch (now.kind) {
    case RoundKind::FirstLook:
      return "looking at the fresh network";
    case RoundKind::Look:
      return epoch + "looking at the loss";
    case RoundKind::Compress:
      return epoch + "compressing to " + setup.scenario.models[at.model.pos()].name;
    case RoundKind::Train:
      break;
  }
  return fmt::format("{}{} · {:.0f} % trained{}", epoch, setup.problem.name_of(now.placement),
                     100 * now.done, left_text(now.done, now.done - since.done, since.time));
}

void RoundLine::hide() {
  if (line_) line_->clear();
}

void RoundLine::show(const std::optional<RoundProgress>& now) {
  if (!now) return hide();
  if (round_ != now->round) {
    line_.emplace();
    done_before_ = now->done;
  }
  round_ = now->round;
  if (!line_->is_due()) return;
  const std::string text = round_text(setup_, *now, {done_before_, line_->elapsed()});
  // Who waits for long says so once where lines stay.
  if (text == said_ && !stderr_is_terminal()) return;
  said_ = text;
  line_->tell(text);
}

}  // namespace espalier
