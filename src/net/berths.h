// SPDX-License-Identifier: Apache-2.0
// Who may have a piece of an object on its way. However many nodes there are, little of what they
// get and send is in memory at a time; they take turns, so that all of them come further. A turn is
// many pieces long: serving few nodes at a time costs less than going round all of them with each
// piece, and all have had one before anybody's patience ends.
//
// A node on a slow link must not hold the others up, nor be held up by them: a piece that takes
// long makes room for others, and whoever had one goes by a lane of its own, with short pieces,
// until one goes quickly. For both lanes together there is a limit as well, which only those do not
// count for that are stuck.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>

namespace espalier {

struct BerthLimits {
  // Bytes on their way at a time: those that go quickly, and all.
  std::uint64_t quick_room = std::uint64_t{3} << 20U;
  std::uint64_t room = std::uint64_t{14} << 20U;
  std::chrono::milliseconds slow_after{200};
  // Within this time all who wait have a turn, if nobody is slow.
  std::chrono::milliseconds round{8000};
  std::chrono::milliseconds stuck_after{5000};
};

// Thread-safe.
class Berths {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Lane { Quick, Slow };

  // One piece on its way, until this is destroyed. The berths must outlive it.
  class Berth {
   public:
    Berth(Berths& owner, Clock::time_point begun, Clock::time_point turn_begun, std::uint64_t bytes)
        : owner_(owner), begun_(begun), turn_begun_(turn_begun), bytes_(bytes) {}
    ~Berth() { owner_.leave(*this); }
    Berth(const Berth&) = delete;
    Berth& operator=(const Berth&) = delete;
    // The lane for the next piece, if this one is through now.
    Lane next_lane() const;

   private:
    friend class Berths;
    Berths& owner_;
    const Clock::time_point begun_;
    const Clock::time_point turn_begun_;
    const std::uint64_t bytes_;
    // Whether it counts; guarded by the owner's mutex.
    bool is_quick_ = false;
    bool is_stuck_ = false;
  };
  using Granted = std::function<void(std::shared_ptr<Berth>)>;

  explicit Berths(BerthLimits limits = {}, std::function<Clock::time_point()> now = Clock::now)
      : limits_(limits), now_(std::move(now)) {}

  // Calls `granted` when its turn has come and there is room for so many bytes: at once, or later,
  // by a thread that leaves. `last`: the berth of the piece before, which is through; its turn goes
  // on unless it has become too long. REQUIRES: bytes ≤ quick_room.
  void ask(Lane lane, std::uint64_t bytes, Granted granted, std::shared_ptr<Berth> last = nullptr);
  // Lets others have the room of those that take long. To be called every now and then.
  void look_after_slow();
  // Forgets who waits; nobody is granted anything from now on.
  void close();

 private:
  struct Waiting {
    std::uint64_t bytes;
    Granted granted;
    std::optional<Clock::time_point> turn_begun;
  };
  using Queue = std::deque<Waiting>;

  Queue& queue_of(Lane lane) { return waiting_[lane == Lane::Quick ? 0 : 1]; }
  Queue* next_queue();
  bool is_in_turn(const Berth& last, std::uint64_t bytes) const;
  std::shared_ptr<Berth> enter(Lane lane, const Waiting& waiting);
  void leave(Berth& berth);
  void grant();

  const BerthLimits limits_;
  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::uint64_t quick_ = 0;
  std::uint64_t all_ = 0;
  bool is_granting_ = false;
  bool is_closed_ = false;
  std::set<Berth*> berths_;
  std::array<Queue, 2> waiting_;
};

}  // namespace espalier
