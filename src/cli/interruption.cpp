// SPDX-License-Identifier: Apache-2.0
#include "cli/interruption.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "core/error.h"

namespace espalier {
namespace {

// A signal handler may do little more than write a byte; a thread waits for it at the other end.
int pipe_ends[2] = {-1, -1};
// Two threads may be interrupted at the same time.
std::atomic<int> was_signalled = 0;
static_assert(std::atomic<int>::is_always_lock_free);

constexpr char kSignalled = 's';
constexpr char kFinished = 'f';

void tell(char what) {
  const int saved = errno;
  [[maybe_unused]] const auto written = write(pipe_ends[1], &what, 1);
  errno = saved;
}

extern "C" void on_signal(int signal) {
  if (was_signalled.exchange(1) != 0) _exit(128 + signal);
  tell(kSignalled);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, nullptr);
}

using SteadyTime = std::chrono::steady_clock;

int milliseconds_until(std::optional<SteadyTime::time_point> end) {
  if (!end) return -1;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(*end - SteadyTime::now()).count();
  return static_cast<int>(std::clamp<long long>(left + 1, 0, 1'000'000'000));
}

}  // namespace

Interruption::Interruption(std::optional<std::chrono::duration<double>> limit) {
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) throw Error(ErrorCode::RunFailed, "no pipe could be made");
  was_signalled = 0;
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  waiter_ = std::jthread([this, limit] { wait(limit); });
}

Interruption::~Interruption() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  tell(kFinished);
  waiter_.join();
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

void Interruption::wait(std::optional<std::chrono::duration<double>> limit) {
  std::optional<SteadyTime::time_point> end;
  if (limit) end = SteadyTime::now() + std::chrono::duration_cast<SteadyTime::duration>(*limit);
  for (;;) {
    pollfd waiting{pipe_ends[0], POLLIN, 0};
    const int ready = poll(&waiting, 1, milliseconds_until(end));
    if (ready < 0 && errno == EINTR) continue;
    char what = 0;
    if (ready == 0) {
      end.reset();
      source_.request_stop();
    } else if (read(pipe_ends[0], &what, 1) != 1 || what == kFinished) {
      return;
    } else {
      by_user_ = true;
      source_.request_stop();
    }
  }
}

}  // namespace espalier
