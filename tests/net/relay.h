// SPDX-License-Identifier: Apache-2.0
// A stretch of network that a test can cut, silence and measure: TCP from one loopback port to
// another.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <arpa/inet.h>

namespace espalier {

// Thread-safe.
class Relay {
 public:
  explicit Relay(int target) : target_(target), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(listener_, 16) != 0)
      throw std::runtime_error("no relay");
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
  }
  ~Relay() {
    acceptor_ = {};
    threads_.clear();
    ::close(listener_);
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::uint64_t sent() const { return sent_; }          // by clients
  std::uint64_t received() const { return received_; }  // by clients

  // What happens once clients have sent, or received, so many bytes: connections break, or nothing
  // comes through any more while they stay open. Both hold until `mend`, or `resume`.
  void cut_after_sent(std::uint64_t bytes) { cut_sent_ = bytes; }
  void cut_after_received(std::uint64_t bytes) { cut_received_ = bytes; }
  void silence_after_sent(std::uint64_t bytes) { silent_sent_ = bytes; }
  // Whatever comes back to clients waits, until `mend`.
  void hold_answers() { holds_answers_ = true; }
  void mend() {
    cut_sent_ = cut_received_ = silent_sent_ = kNever;
    holds_answers_ = false;
    ++generation_;
  }
  // Lets silenced connections go on.
  void resume() { silent_sent_ = kNever; }
  bool is_silent() const { return sent_ >= silent_sent_; }

 private:
  static constexpr std::uint64_t kNever = UINT64_MAX;

  static sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
  }

  void accept_all(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd ready{listener_, POLLIN, 0};
      if (::poll(&ready, 1, 20) != 1) continue;
      const int client = ::accept(listener_, nullptr, nullptr);
      if (client < 0) continue;
      threads_.emplace_back([this, client](const std::stop_token& end) { carry(client, end); });
    }
  }

  // Connections from before the last `mend` break.
  void carry(int client, const std::stop_token& stop) {
    const int generation = generation_;
    const int server = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = loopback(target_);
    bool is_open =
        ::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    while (is_open && !stop.stop_requested() && generation == generation_ && !is_cut()) {
      if (is_silent()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        continue;
      }
      const short answers = holds_answers_ ? 0 : POLLIN;
      pollfd ready[2] = {{client, POLLIN, 0}, {server, answers, 0}};
      ::poll(ready, 2, 20);
      if (ready[0].revents) is_open = pass(client, server, sent_);
      if (is_open && ready[1].revents) is_open = pass(server, client, received_);
    }
    const linger at_once{1, 0};
    ::setsockopt(client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::setsockopt(server, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::close(client);
    ::close(server);
  }

  bool is_cut() const { return sent_ >= cut_sent_ || received_ >= cut_received_; }

  static bool pass(int from, int to, std::atomic<std::uint64_t>& count) {
    std::vector<char> buffer(16 * 1024);
    const ssize_t bytes = ::recv(from, buffer.data(), buffer.size(), 0);
    if (bytes <= 0) return false;
    count += static_cast<std::uint64_t>(bytes);
    for (ssize_t done = 0; done < bytes;) {
      const ssize_t now =
          ::send(to, buffer.data() + done, static_cast<std::size_t>(bytes - done), MSG_NOSIGNAL);
      if (now <= 0) return false;
      done += now;
    }
    return true;
  }

  const int target_;
  int listener_;
  int port_ = 0;
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<std::uint64_t> received_ = 0;
  std::atomic<std::uint64_t> cut_sent_ = kNever;
  std::atomic<std::uint64_t> cut_received_ = kNever;
  std::atomic<std::uint64_t> silent_sent_ = kNever;
  std::atomic<bool> holds_answers_ = false;
  std::atomic<int> generation_ = 0;
  std::vector<std::jthread> threads_;  // of the acceptor alone until it has ended
  std::jthread acceptor_;
};

}  // namespace espalier
