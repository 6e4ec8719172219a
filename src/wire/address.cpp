// SPDX-License-Identifier: Apache-2.0
#include "wire/address.h"

#include <charconv>

#include <arpa/inet.h>

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

}  // namespace

void check_address(const std::string& address, Port port) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == address.size())
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

bool is_loopback(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  in_addr number{};
  const bool is_number = ::inet_pton(AF_INET, host.c_str(), &number) == 1;
  return host == "localhost" || host == "[::1]" || (is_number && host.starts_with("127."));
}

}  // namespace espalier
