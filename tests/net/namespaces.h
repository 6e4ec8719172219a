// SPDX-License-Identifier: Apache-2.0
// Two network namespaces with a poor link between them. Needs root, ip and tc.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace espalier {

// Gone in the end.
class Namespaces {
 public:
  Namespaces() : id_(std::to_string(::getpid())) {
    is_there_ = ::geteuid() == 0 && make() && poor();
  }
  ~Namespaces() {
    run("ip netns del " + server());
    run("ip netns del " + client());
  }
  Namespaces(const Namespaces&) = delete;
  Namespaces& operator=(const Namespaces&) = delete;

  // Whether this machine lets us.
  bool is_there() const { return is_there_; }
  std::vector<std::string> in_server() const { return {"ip", "netns", "exec", server()}; }
  std::vector<std::string> in_client() const { return {"ip", "netns", "exec", client()}; }
  static std::string server_host() { return "10.77.0.1"; }

  void cut() const { run("ip -n " + client() + " link set " + client_device() + " down"); }
  void mend() const { run("ip -n " + client() + " link set " + client_device() + " up"); }
  // What the client has put on the link, bytes that were sent again included.
  std::uint64_t sent() const {
    const std::string file = "/tmp/espalier-sent-" + id_;
    run("ip netns exec " + client() + " cat /sys/class/net/" + client_device() +
        "/statistics/tx_bytes > " + file);
    std::uint64_t bytes = 0;
    std::ifstream(file) >> bytes;
    ::unlink(file.c_str());
    return bytes;
  }

 private:
  static bool run(const std::string& command) {
    return std::system(("{ " + command + "; } 2>/dev/null").c_str()) == 0;
  }

  std::string server() const { return "esp" + id_ + "s"; }
  std::string client() const { return "esp" + id_ + "c"; }
  std::string server_device() const { return "es" + id_; }
  std::string client_device() const { return "ec" + id_; }

  bool make() const {
    return run("ip netns add " + server()) && run("ip netns add " + client()) &&
           run("ip link add " + server_device() + " netns " + server() + " type veth peer name " +
               client_device() + " netns " + client()) &&
           run("ip -n " + server() + " addr add 10.77.0.1/24 dev " + server_device()) &&
           run("ip -n " + client() + " addr add 10.77.0.2/24 dev " + client_device()) &&
           run("ip -n " + server() + " link set " + server_device() + " up") &&
           run("ip -n " + client() + " link set " + client_device() + " up");
  }

  // 50 ms there and back, 2 % of all packets lost, 10 Mbit/s.
  bool poor() const {
    const std::string how = " root netem delay 25ms loss 2% rate 10mbit limit 1000";
    return run("tc -n " + server() + " qdisc add dev " + server_device() + how) &&
           run("tc -n " + client() + " qdisc add dev " + client_device() + how);
  }

  const std::string id_;
  bool is_there_ = false;
};

}  // namespace espalier
