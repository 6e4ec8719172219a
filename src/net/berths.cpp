// SPDX-License-Identifier: Apache-2.0
#include "net/berths.h"

#include <utility>

namespace espalier {

Berths::Lane Berths::Berth::next_lane() const {
  return owner_.now_() - begun_ > owner_.limits_.slow_after ? Lane::Slow : Lane::Quick;
}

// REQUIRES: mutex_ is held.
std::shared_ptr<Berths::Berth> Berths::enter(Lane lane, const Waiting& waiting) {
  const Clock::time_point now = now_();
  auto berth = std::make_shared<Berth>(*this, now, waiting.turn_begun.value_or(now), waiting.bytes);
  berth->is_quick_ = lane == Lane::Quick;
  if (berth->is_quick_) quick_ += waiting.bytes;
  all_ += waiting.bytes;
  berths_.insert(berth.get());
  return berth;
}

void Berths::leave(Berth& berth) {
  {
    const std::lock_guard lock(mutex_);
    berths_.erase(&berth);
    if (berth.is_quick_) quick_ -= berth.bytes_;
    if (!berth.is_stuck_) all_ -= berth.bytes_;
  }
  grant();
}

// Whether its turn goes on. The more wait, the shorter turns are. REQUIRES: mutex_ is held.
bool Berths::is_in_turn(const Berth& last, std::uint64_t bytes) const {
  const auto places = static_cast<double>(limits_.quick_room / bytes);
  const auto others = static_cast<double>(waiting_[0].size());
  return now_() - last.turn_begun_ < limits_.round * (places / (places + others));
}

void Berths::ask(Lane lane, std::uint64_t bytes, Granted granted, std::shared_ptr<Berth> last) {
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return;
    const bool goes_on = last && lane == Lane::Quick && is_in_turn(*last, bytes);
    Queue& queue = queue_of(lane);
    if (goes_on) {
      queue.push_front({bytes, std::move(granted), last->turn_begun_});
    } else {
      queue.push_back({bytes, std::move(granted), std::nullopt});
    }
  }
  last.reset();
  grant();
}

// Whose first one has its turn. REQUIRES: mutex_ is held.
Berths::Queue* Berths::next_queue() {
  for (const Lane lane : {Lane::Slow, Lane::Quick}) {
    Queue& queue = queue_of(lane);
    if (queue.empty() || all_ + queue.front().bytes > limits_.room) continue;
    if (lane == Lane::Slow || quick_ + queue.front().bytes <= limits_.quick_room) return &queue;
  }
  return nullptr;
}

// One thread at a time: whoever leaves while it is at it only makes room.
void Berths::grant() {
  std::unique_lock lock(mutex_);
  if (is_granting_) return;
  is_granting_ = true;
  while (Queue* queue = next_queue()) {
    Waiting next = std::move(queue->front());
    queue->pop_front();
    auto berth = enter(queue == &queue_of(Lane::Quick) ? Lane::Quick : Lane::Slow, next);
    lock.unlock();
    next.granted(std::move(berth));
    next.granted = {};
    lock.lock();
  }
  is_granting_ = false;
}

void Berths::look_after_slow() {
  {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = now_();
    for (Berth* berth : berths_) {
      const auto held = now - berth->begun_;
      if (held > limits_.slow_after && std::exchange(berth->is_quick_, false))
        quick_ -= berth->bytes_;
      if (held > limits_.stuck_after && !std::exchange(berth->is_stuck_, true))
        all_ -= berth->bytes_;
    }
  }
  grant();
}

void Berths::close() {
  std::array<Queue, 2> forgotten;  // destroyed when the mutex is free again
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  forgotten.swap(waiting_);
}

}  // namespace espalier
