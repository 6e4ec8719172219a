// SPDX-License-Identifier: Apache-2.0
#include "wire/address.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <netdb.h>
#include <sys/socket.h>

#include <netinet/in.h>

#include "core/error.h"

namespace espalier {
namespace {

constexpr int kLargestPort = 65535;

bool is_port(const std::string& text, int least) {
  int number = -1;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc{} && end == text.data() + text.size() && number >= least &&
         number <= kLargestPort;
}

std::string host_of(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  const bool has_brackets = host.starts_with('[') && host.ends_with(']');
  return has_brackets ? host.substr(1, host.size() - 2) : host;
}

// Whatever the system makes of them, and where it makes nothing of them.
bool is_kept_for_loopback(std::string name) {
  for (char& letter : name)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  if (name.ends_with('.')) name.pop_back();
  return name == "localhost" || name.ends_with(".localhost") || name == "ip6-localhost" ||
         name == "ip6-loopback";
}

struct FreeFound {
  void operator()(addrinfo* found) const { ::freeaddrinfo(found); }
};
using Found = std::unique_ptr<addrinfo, FreeFound>;

Found find(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  return Found(::getaddrinfo(host.c_str(), nullptr, &hints, &found) == 0 ? found : nullptr);
}

bool is_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    return ntohl(four.sin_addr.s_addr) >> 24U == IN_LOOPBACKNET;
  }
  if (address.sa_family != AF_INET6) return false;
  const in6_addr& six = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127);
}

bool is_unspecified(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr == htonl(INADDR_ANY);
  if (address.sa_family != AF_INET6) return false;
  const in6_addr& six = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  const bool is_any_of_four =
      IN6_IS_ADDR_V4MAPPED(&six) &&
      std::all_of(six.s6_addr + 12, six.s6_addr + 16, [](auto byte) { return byte == 0; });
  return IN6_IS_ADDR_UNSPECIFIED(&six) || is_any_of_four;
}

template <class Claim>
bool all_are(const Found& found, const Claim& claim) {
  const addrinfo* one = found.get();
  while (one != nullptr && claim(*one->ai_addr)) one = one->ai_next;
  return found != nullptr && one == nullptr;
}

}  // namespace

void check_address(const std::string& address, Port port) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon + 1 == address.size() || host_of(address).empty())
    throw Error(ErrorCode::BadInput, "'" + address + "' is no address",
                "write HOST:PORT, as in head.example:4430");
  const int least = port == Port::IsNeeded ? 1 : 0;
  const std::string text = address.substr(colon + 1);
  if (is_port(text, least)) return;
  const std::string range = std::to_string(least) + " to " + std::to_string(kLargestPort);
  throw Error(ErrorCode::BadInput, "'" + address + "': '" + text + "' is no port",
              "ports are numbers from " + range +
                  (least == 0 ? "; 0 takes one that is free" : std::string()));
}

HostAndPort parts_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::uint16_t port = 0;
  std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  return {host_of(address), port};
}

bool is_loopback(const std::string& address) {
  const std::string host = host_of(address);
  if (is_kept_for_loopback(host)) return true;
  return all_are(find(host), [](const sockaddr& one) { return is_loopback(one); });
}

bool is_unspecified(const std::string& address) {
  return all_are(find(host_of(address)), [](const sockaddr& one) { return is_unspecified(one); });
}

}  // namespace espalier
