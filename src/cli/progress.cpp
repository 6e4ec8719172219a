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

void tell_aside(const std::string& text) {
  std::cerr << (stderr_is_terminal() ? "\r\x1b[K" : "") + text + "\n" << std::flush;
}

ProgressLine::ProgressLine()
    : on_terminal_(stderr_is_terminal()),
      begin_(Clock::now()),
      next_(begin_ + (on_terminal_ ? kPatience : kElsewhere)) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (told_ && on_terminal_) std::cerr << "\r\x1b[K" << std::flush;
  told_ = false;
}

void ProgressLine::tell(const std::string& text) {
  std::cerr << (on_terminal_ ? "\r\x1b[K" : "") << text << (on_terminal_ ? "" : "\n") << std::flush;
  next_ = Clock::now() + (on_terminal_ ? kOnTerminal : kElsewhere);
  told_ = true;
}

Seconds ProgressLine::elapsed() const {
  return {std::chrono::duration<double>(Clock::now() - begin_).count()};
}

void Progress::add_one() {
  const std::lock_guard lock(mutex_);
  ++done_;
  if (done_ < total_ && line_.is_due()) tell();
}

void Progress::tell() {
  const double left =
      line_.elapsed().value * static_cast<double>(total_ - done_) / static_cast<double>(done_);
  line_.tell(fmt::format("{}: {} of {}, about {} left", what_, done_, total_,
                         duration(Seconds{std::round(left)})));
}

}  // namespace espalier
