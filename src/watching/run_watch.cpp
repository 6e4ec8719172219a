// SPDX-License-Identifier: Apache-2.0
#include "watching/run_watch.h"

#include <algorithm>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::chrono::seconds kLongestWait{10};

}  // namespace

WatchedRun::WatchedRun(std::unique_ptr<RunFeed> feed, const WriteNews& write)
    : feed_(std::move(feed)), write_(write), story_(first_story(feed_->head())) {}

void WatchedRun::poll() {
  const auto news = feed_->after(last_id());
  const bool is_carried_on = feed_->is_carried_on();
  if (news.empty() && is_carried_on == this->is_carried_on()) return;
  std::vector<WrittenNews> written;
  for (const RunNews& one : news) written.push_back({one.id, write_(one)});
  {
    const std::lock_guard lock(mutex_);
    for (const RunNews& one : news) tell(story_, one);
    story_.is_carried_on = is_carried_on;
    std::move(written.begin(), written.end(), std::back_inserter(written_));
  }
  news_came_.notify_all();
}

void WatchedRun::with_story(const std::function<void(const WatchedStory&)>& use) const {
  const std::lock_guard lock(mutex_);
  use(story_);
}

std::vector<WrittenNews> WatchedRun::wait_after(std::int64_t id, std::size_t most,
                                                std::stop_token stop) {
  std::unique_lock lock(mutex_);
  const bool was_carried_on = story_.is_carried_on;
  news_came_.wait_for(lock, stop, kLongestWait, [&] {
    return story_.last_id > id || story_.is_carried_on != was_carried_on;
  });
  const auto first = std::upper_bound(written_.begin(), written_.end(), id,
                                      [](std::int64_t i, const auto& one) { return i < one.id; });
  const auto count =
      std::min<std::ptrdiff_t>(written_.end() - first, static_cast<std::ptrdiff_t>(most));
  return {first, first + count};
}

std::int64_t WatchedRun::last_id() const {
  const std::lock_guard lock(mutex_);
  return story_.last_id;
}

bool WatchedRun::is_carried_on() const {
  const std::lock_guard lock(mutex_);
  return story_.is_carried_on;
}

RunWatch::RunWatch(RunShelf& shelf, WriteNews write, std::chrono::milliseconds interval)
    : shelf_(shelf), write_(std::move(write)) {
  poller_ = std::jthread([this, interval](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      poll_all();
      std::unique_lock lock(mutex_);
      waiting_.wait_for(lock, stop, interval, [] { return false; });
    }
  });
}

RunWatch::~RunWatch() = default;

std::shared_ptr<WatchedRun> RunWatch::find(const std::string& name) {
  const std::lock_guard lock(mutex_);
  if (const auto known = runs_.find(name); known != runs_.end()) return known->second;
  auto feed = shelf_.open(name);
  if (!feed) return nullptr;
  auto run = std::make_shared<WatchedRun>(std::move(feed), write_);
  run->poll();
  runs_.emplace(name, run);
  return run;
}

// A run that cannot be read just now is tried again the next time. What is over may be resumed, so
// it is looked at as well.
void RunWatch::poll_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, run] : runs_) {
    try {
      run->poll();
    } catch (const Error&) {
      continue;
    }
  }
}

}  // namespace espalier
