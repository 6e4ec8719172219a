// SPDX-License-Identifier: Apache-2.0
#include "experiments/line_socket.h"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::size_t kLongestLine = 64 << 10;

}  // namespace

LineSocket::~LineSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

LineSocket::LineSocket(LineSocket&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), received_(std::move(other.received_)) {}

LineSocket& LineSocket::operator=(LineSocket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(received_, other.received_);
  return *this;
}

bool LineSocket::send(std::string_view line) {
  const std::string text = std::string(line) + '\n';
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t count = ::send(descriptor_, left.data(), left.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool LineSocket::receive() {
  std::array<char, 4096> bytes{};
  ssize_t count = -1;
  do {
    count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  received_.append(bytes.data(), static_cast<std::size_t>(count));
  return received_.size() <= kLongestLine || received_.find('\n') != std::string::npos;
}

std::optional<std::string> LineSocket::next_line() {
  const std::size_t end = received_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

SocketPair make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw Error(ErrorCode::RunFailed,
                "no socket could be made: " + std::generic_category().message(errno),
                "use fewer --workers");
  }
  return {LineSocket(ends[0]), LineSocket(ends[1])};
}

}  // namespace espalier
