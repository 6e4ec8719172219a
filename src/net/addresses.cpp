// SPDX-License-Identifier: Apache-2.0
#include "net/addresses.h"

#include <array>
#include <cerrno>
#include <memory>
#include <netdb.h>
#include <sys/socket.h>
#include <system_error>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include "core/error.h"
#include "wire/address.h"

namespace espalier {
namespace {

constexpr int kWaitingToBeAccepted = 1024;
constexpr int kWaitingToBeSent = 256 * 1024;

struct FreeFound {
  void operator()(addrinfo* found) const { ::freeaddrinfo(found); }
};
using Found = std::unique_ptr<addrinfo, FreeFound>;

Found find(const std::string& address, int flags) {
  if (address.empty()) return {};
  const HostAndPort where = parts_of(address);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(where.port);
  return Found(::getaddrinfo(where.host.c_str(), port.c_str(), &hints, &found) == 0 ? found
                                                                                    : nullptr);
}

void set(int socket, int level, int option, int value) {
  ::setsockopt(socket, level, option, &value, sizeof value);
}

Descriptor open_socket(const addrinfo& address) {
  return Descriptor(::socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

void set_port(sockaddr& address, int port) {
  const auto number = htons(static_cast<std::uint16_t>(port));
  if (address.sa_family == AF_INET) reinterpret_cast<sockaddr_in&>(address).sin_port = number;
  if (address.sa_family == AF_INET6) reinterpret_cast<sockaddr_in6&>(address).sin6_port = number;
}

bool listens(const Descriptor& socket, const addrinfo& address) {
  set(socket.value(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (address.ai_family == AF_INET6) set(socket.value(), IPPROTO_IPV6, IPV6_V6ONLY, 0);
  return ::bind(socket.value(), address.ai_addr, address.ai_addrlen) == 0 &&
         ::listen(socket.value(), kWaitingToBeAccepted) == 0;
}

// Brackets, as gRPC writes them.
std::string decoded(std::string text) {
  for (const auto& [code, sign] : {std::pair("%5B", "["), std::pair("%5D", "]"), {"%25", "%"}})
    if (const auto at = text.find(code); at != std::string::npos) text.replace(at, 3, sign);
  return text;
}

}  // namespace

std::vector<Descriptor> listen_on(const std::string& address) {
  check_address(address, Port::MayBeChosen);
  const Found found = find(address, AI_PASSIVE | AI_NUMERICSERV);
  std::vector<Descriptor> sockets;
  for (addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
    if (!sockets.empty()) set_port(*one->ai_addr, port_of(sockets.front()));
    Descriptor socket = open_socket(*one);
    if (socket.value() >= 0 && listens(socket, *one)) sockets.push_back(std::move(socket));
  }
  if (sockets.empty())
    throw Error(ErrorCode::BadInput, "cannot listen on '" + address + "'",
                "is the port in use, and the address one of this machine?");
  return sockets;
}

int port_of(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket.value(), reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

Descriptor connect_to(const std::string& peer) {
  const std::string address = peer.starts_with("ipv") ? decoded(peer.substr(5)) : "";
  const Found found = find(address, AI_NUMERICHOST | AI_NUMERICSERV);
  if (!found) throw Error(ErrorCode::RunFailed, "no connection to the orchestrator");
  Descriptor socket = open_socket(*found);
  const bool begins =
      socket.value() >= 0 &&
      (::connect(socket.value(), found->ai_addr, found->ai_addrlen) == 0 || errno == EINPROGRESS);
  if (!begins)
    throw Error(ErrorCode::RunFailed,
                "no connection to the orchestrator: " + std::generic_category().message(errno));
  return socket;
}

std::string peer_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  auto* general = reinterpret_cast<sockaddr*>(&address);
  if (::getpeername(socket, general, &size) != 0 ||
      ::getnameinfo(general, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return {};
  const std::string name = host.data();
  return address.ss_family == AF_INET6 ? "ipv6:[" + name + "]:" + port.data()
                                       : "ipv4:" + name + ":" + port.data();
}

void set_up_stream(int socket) {
  set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kWaitingToBeSent);
}

}  // namespace espalier
