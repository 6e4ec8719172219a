// SPDX-License-Identifier: Apache-2.0
// Many watch the same runs, and each run is read once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "watching/run_feed.h"
#include "watching/run_story.h"

namespace espalier {

// A piece of news, ready to be sent.
struct WrittenNews {
  std::int64_t id = 0;
  std::string text;
};

using WriteNews = std::function<std::string(const RunNews&)>;

// One run and what has been read of it. Thread-safe.
class WatchedRun {
 public:
  WatchedRun(std::unique_ptr<RunFeed> feed, const WriteNews& write);

  // Reads on. For one thread at a time.
  void poll();

  // Calls `use` with the story so far, which stays as it is meanwhile.
  void with_story(const std::function<void(const WatchedStory&)>& use) const;

  // At most `most` news after `id`; waits for the first until `stop`, or until it is carried on or
  // no longer, or a few seconds: then there may be none.
  std::vector<WrittenNews> wait_after(std::int64_t id, std::size_t most, std::stop_token stop);
  std::int64_t last_id() const;
  bool is_carried_on() const;

 private:
  std::unique_ptr<RunFeed> feed_;
  const WriteNews& write_;
  mutable std::mutex mutex_;
  std::condition_variable_any news_came_;
  WatchedStory story_;
  std::vector<WrittenNews> written_;
};

// Reads the runs that anybody asked for, on a thread of its own. Thread-safe.
class RunWatch {
 public:
  // `shelf` must outlive it.
  RunWatch(RunShelf& shelf, WriteNews write,
           std::chrono::milliseconds interval = std::chrono::milliseconds(200));
  ~RunWatch();

  // Newest first.
  std::vector<std::string> names() const { return shelf_.names(); }
  // Up to date; null if there is none of that name. Throws Error{BadInput}.
  std::shared_ptr<WatchedRun> find(const std::string& name);

 private:
  void poll_all();

  RunShelf& shelf_;
  const WriteNews write_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<WatchedRun>> runs_;
  std::condition_variable_any waiting_;
  std::jthread poller_;
};

}  // namespace espalier
