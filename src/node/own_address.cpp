// SPDX-License-Identifier: Apache-2.0
#include "node/own_address.h"

#include <array>
#include <memory>
#include <netdb.h>
#include <sys/socket.h>

#include "core/error.h"
#include "files/descriptor.h"
#include "io/wording.h"

namespace espalier {
namespace {

struct FreeFound {
  void operator()(addrinfo* found) const { ::freeaddrinfo(found); }
};
using Found = std::unique_ptr<addrinfo, FreeFound>;

Found find(const HostAndPort& place) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(place.port);
  return Found(::getaddrinfo(place.host.c_str(), port.c_str(), &hints, &found) == 0 ? found
                                                                                    : nullptr);
}

// Nothing where there is no way. To connect a socket for datagrams sends none.
std::string own_address_towards(const addrinfo& there) {
  const Descriptor socket(::socket(there.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (socket.value() < 0 || ::connect(socket.value(), there.ai_addr, there.ai_addrlen) != 0)
    return "";
  sockaddr_storage storage{};
  auto* own = reinterpret_cast<sockaddr*>(&storage);
  socklen_t size = sizeof storage;
  std::array<char, NI_MAXHOST> number{};
  const bool is_told =
      ::getsockname(socket.value(), own, &size) == 0 &&
      ::getnameinfo(own, size, number.data(), number.size(), nullptr, 0, NI_NUMERICHOST) == 0;
  return is_told ? number.data() : "";
}

}  // namespace

// Processes that are to reach each other need addresses of one kind: where the place has several,
// those of IPv4.
std::string own_address_towards(const HostAndPort& place) {
  const Found found = find(place);
  for (const bool is_four : {true, false}) {
    for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
      if ((one->ai_family == AF_INET) != is_four) continue;
      if (std::string own = own_address_towards(*one); !own.empty()) return own;
    }
  }
  throw Error(ErrorCode::RunFailed, "there is no way from here to " + shown(place.host));
}

}  // namespace espalier
