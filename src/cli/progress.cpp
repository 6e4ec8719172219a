// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "cli/console.h"
#include "render/figures.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPatience{1000};
constexpr milliseconds kOnTerminal{200};
constexpr milliseconds kElsewhere{15000};

}  // namespace

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)),
      total_(total),
      on_terminal_(stderr_is_terminal()),
      begin_(Clock::now()),
      next_(begin_ + (on_terminal_ ? kPatience : kElsewhere)) {}

Progress::~Progress() {
  if (told_ && on_terminal_) std::cerr << "\r\x1b[K" << std::flush;
}

void Progress::add_one() {
  const std::lock_guard lock(mutex_);
  ++done_;
  const auto now = Clock::now();
  if (now < next_ || done_ == total_) return;
  tell(now);
  next_ = now + (on_terminal_ ? kOnTerminal : kElsewhere);
}

void Progress::tell(Clock::time_point now) {
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double left = elapsed * static_cast<double>(total_ - done_) / static_cast<double>(done_);
  std::cerr << (on_terminal_ ? "\r\x1b[K" : "")
            << fmt::format("{}: {} of {}, about {} left", what_, done_, total_,
                           duration(Seconds{std::round(left)}))
            << (on_terminal_ ? "" : "\n") << std::flush;
  told_ = true;
}

}  // namespace espalier
