// SPDX-License-Identifier: Apache-2.0
// Two network namespaces, and a poor link between them: packets pass through this process, which
// delays and loses them. (Not every kernel has netem.) Needs root, ip and /dev/net/tun.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <poll.h>
#include <random>
#include <string>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <linux/if.h>
#include <linux/if_tun.h>

namespace espalier {

struct LinkQuality {
  std::chrono::milliseconds delay{25};  // each way
  double loss = 0.02;                   // share of packets
  double bits_per_second = 10e6;        // each way
  std::size_t most_waiting = 100;       // packets before the bottleneck; others are lost, too
};

// Gone in the end.
class PoorLinkBetweenNamespaces {
 public:
  explicit PoorLinkBetweenNamespaces(LinkQuality quality = {})
      : quality_(quality), id_(std::to_string(::getpid())) {
    is_there_ =
        ::geteuid() == 0 && make(ends_[0], 's', "10.77.0.1") && make(ends_[1], 'c', "10.77.0.2");
    if (is_there_) carrier_ = std::jthread([this](const std::stop_token& stop) { carry(stop); });
  }
  ~PoorLinkBetweenNamespaces() {
    carrier_ = {};
    for (const End& end : ends_) {
      if (end.device >= 0) ::close(end.device);
      if (!end.name.empty()) run("ip netns del " + end.name);
    }
  }
  PoorLinkBetweenNamespaces(const PoorLinkBetweenNamespaces&) = delete;
  PoorLinkBetweenNamespaces& operator=(const PoorLinkBetweenNamespaces&) = delete;

  // Whether this machine lets us.
  bool is_there() const { return is_there_; }
  std::vector<std::string> in_server() const { return {"ip", "netns", "exec", ends_[0].name}; }
  std::vector<std::string> in_client() const { return {"ip", "netns", "exec", ends_[1].name}; }
  static std::string server_host() { return "10.77.0.1"; }

  // Nothing comes through any more, in either direction.
  void cut() { is_cut_ = true; }
  void mend() { is_cut_ = false; }
  // Bytes that the client has put on the link, those that TCP sent again included.
  std::uint64_t sent() const { return sent_; }
  std::uint64_t lost() const { return lost_; }  // packets

 private:
  using Clock = std::chrono::steady_clock;
  struct Packet {
    Clock::time_point due;
    std::string bytes;
  };
  struct End {
    std::string name;  // of the namespace
    int device = -1;
    Clock::time_point free{};      // when the bottleneck of what comes from here is free again
    std::deque<Packet> packets{};  // that came from here
  };

  static bool run(const std::string& command) {
    return std::system(("{ " + command + "; } 2>/dev/null").c_str()) == 0;
  }

  bool make(End& end, char letter, const std::string& address) {
    const std::string device = std::string("e") + letter + id_;
    end.name = "espalier-" + id_ + letter;
    end.device = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request{};
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    std::strncpy(request.ifr_name, device.c_str(), IFNAMSIZ - 1);
    return end.device >= 0 && ::ioctl(end.device, TUNSETIFF, &request) == 0 &&
           run("ip netns add " + end.name) && run("ip link set " + device + " netns " + end.name) &&
           run("ip -n " + end.name + " addr add " + address + "/24 dev " + device) &&
           run("ip -n " + end.name + " link set " + device + " up");
  }

  void carry(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      pollfd ready[2] = {{ends_[0].device, POLLIN, 0}, {ends_[1].device, POLLIN, 0}};
      ::poll(ready, 2, 1);
      for (End& end : ends_) take(end);
      deliver(ends_[0], ends_[1]);
      deliver(ends_[1], ends_[0]);
    }
  }

  void take(End& from) {
    std::array<char, 2048> buffer;
    for (ssize_t size; (size = ::read(from.device, buffer.data(), buffer.size())) > 0;) {
      if (&from == &ends_[1]) sent_ += static_cast<std::uint64_t>(size);
      if (is_cut_ || chance_(random_) < quality_.loss || is_full(from)) {
        ++lost_;
        continue;
      }
      const std::chrono::duration<double> takes(8 * static_cast<double>(size) /
                                                quality_.bits_per_second);
      from.free =
          std::max(from.free, Clock::now()) + std::chrono::duration_cast<Clock::duration>(takes);
      from.packets.push_back(
          {from.free + quality_.delay, std::string(buffer.data(), static_cast<std::size_t>(size))});
    }
  }

  // Before the bottleneck; those behind it are on their way.
  bool is_full(const End& from) const {
    const auto on_their_way = Clock::now() + quality_.delay;
    std::size_t waiting = 0;
    for (const Packet& packet : from.packets)
      if (packet.due > on_their_way) ++waiting;
    return waiting >= quality_.most_waiting;
  }

  void deliver(End& from, const End& to) {
    while (!from.packets.empty() && from.packets.front().due <= Clock::now()) {
      const std::string& bytes = from.packets.front().bytes;
      if (!is_cut_ && ::write(to.device, bytes.data(), bytes.size()) < 0) ++lost_;
      from.packets.pop_front();
    }
  }

  const LinkQuality quality_;
  const std::string id_;
  bool is_there_ = false;
  std::array<End, 2> ends_{};
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> chance_{0, 1};
  std::atomic<bool> is_cut_ = false;
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
  std::jthread carrier_;
};

}  // namespace espalier
