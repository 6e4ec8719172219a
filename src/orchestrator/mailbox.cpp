// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/mailbox.h"

namespace espalier {

void Mailbox::post(Letter letter) {
  {
    const std::lock_guard lock(mutex_);
    letters_.push_back(std::move(letter));
  }
  arrived_.notify_one();
}

std::vector<Letter> Mailbox::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(letters_, {});
}

void Mailbox::wait(std::chrono::duration<double> at_most) {
  std::unique_lock lock(mutex_);
  arrived_.wait_for(lock, at_most, [&] { return !letters_.empty(); });
}

}  // namespace espalier
