// SPDX-License-Identifier: Apache-2.0
// Lines of text between two processes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// One end of a stream socket, closed with it. Owned by one thread.
class LineSocket {
 public:
  explicit LineSocket(int descriptor) : descriptor_(descriptor) {}
  ~LineSocket();
  LineSocket(LineSocket&& other) noexcept;
  LineSocket& operator=(LineSocket&& other) noexcept;
  LineSocket(const LineSocket&) = delete;
  LineSocket& operator=(const LineSocket&) = delete;

  int descriptor() const { return descriptor_; }

  // False if the other end is gone.
  bool send(std::string_view line);
  // Waits for what comes, once. False if the other end is gone, or sends lines without an end.
  bool receive();
  // The next line that was received completely.
  std::optional<std::string> next_line();

 private:
  int descriptor_;
  std::string received_;
};

struct SocketPair {
  LineSocket ours;
  LineSocket theirs;
};

// Both are closed when another program is started. Throws Error{RunFailed}.
SocketPair make_socket_pair();

}  // namespace espalier
