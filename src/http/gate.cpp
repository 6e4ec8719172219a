// SPDX-License-Identifier: Apache-2.0
#include "http/gate.h"

#include <algorithm>
#include <array>
#include <sys/random.h>

#include <arpa/inet.h>

#include "core/error.h"

namespace espalier {
namespace {

constexpr const char* kCookie = "espalier_token";

// "[::1]:80" → "::1", "localhost:80" → "localhost", in lower case.
std::string host_name(std::string host) {
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (host.starts_with('[')) return host.substr(1, std::min(host.find(']'), host.size()) - 1);
  return host.substr(0, host.find(':'));
}

bool is_address(const std::string& host) {
  in6_addr space{};
  return inet_pton(AF_INET, host.c_str(), &space) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &space) == 1;
}

// Takes as long whatever is wrong with it.
bool is_same_secret(const std::string& given, const std::string& secret) {
  unsigned difference = given.size() == secret.size() ? 0 : 1;
  for (std::size_t i = 0; i < secret.size(); ++i)
    difference |= static_cast<unsigned char>(secret[i] ^ (i < given.size() ? given[i] : '\0'));
  return difference == 0;
}

std::string cookie_of(const HttpRequest& request) {
  const std::string cookies = request.header("cookie");
  const std::string name = std::string(kCookie) + "=";
  for (std::size_t at = 0; at < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    const std::size_t begin = std::min(cookies.find_first_not_of(' ', at), end);
    if (cookies.compare(begin, name.size(), name) == 0)
      return cookies.substr(begin + name.size(), end - begin - name.size());
    at = end + 1;
  }
  return "";
}

// A browser says where a request comes from; other programs need not.
bool comes_from_elsewhere(const HttpRequest& request) {
  const std::string site = request.header("sec-fetch-site");
  if (site == "cross-site" || site == "same-site") return request.method != "GET";
  const std::string origin = request.header("origin");
  if (origin.empty()) return false;
  return origin != "http://" + request.header("host") &&
         origin != "https://" + request.header("host");
}

bool is_json(const HttpRequest& request) {
  const std::string type = request.header("content-type");
  return type == "application/json" || type.starts_with("application/json;");
}

}  // namespace

Gate::Gate(GateOptions options) : options_(std::move(options)) {
  ESPALIER_CHECK(options_.loopback_only || !options_.token.empty());
}

bool Gate::is_known_host(const std::string& host) const {
  const std::string name = host_name(host);
  if (is_loopback_host(name)) return true;
  // A page can make its own name lead here, but not an address.
  if (!options_.loopback_only && is_address(name)) return true;
  return std::find(options_.names.begin(), options_.names.end(), name) != options_.names.end();
}

bool Gate::has_token(const HttpRequest& request) const {
  if (options_.token.empty()) return true;
  const std::string bearer = request.header("authorization");
  if (bearer.starts_with("Bearer ")) return is_same_secret(bearer.substr(7), options_.token);
  return is_same_secret(cookie_of(request), options_.token);
}

std::optional<HttpResponse> Gate::refuse(const HttpRequest& request) const {
  if (!is_known_host(request.header("host")))
    return refusal(421, "this server is not known by the name in the Host header",
                   "open it by its address, or start it with --name");
  if (!has_token(request))
    return refusal(401, "a token is needed",
                   "open the address that 'espalier serve' printed, or send it as 'Authorization: "
                   "Bearer'");
  if (comes_from_elsewhere(request))
    return refusal(403, "requests from pages of other sites are refused");
  if (request.method == "POST" && !is_json(request))
    return refusal(415, "the body must be JSON", "send Content-Type: application/json");
  return std::nullopt;
}

std::optional<HttpResponse> Gate::let_in(const HttpRequest& request) const {
  const auto token = request.query.find("token");
  if (request.method != "GET" || token == request.query.end() || options_.token.empty() ||
      !is_known_host(request.header("host")) || !is_same_secret(token->second, options_.token))
    return std::nullopt;
  HttpResponse response = refusal(303, "open the page without the token");
  response.headers = {{"Location", "/"},
                      {"Cache-Control", "no-store"},
                      {"Set-Cookie", std::string(kCookie) + "=" + options_.token +
                                         "; Path=/; HttpOnly; SameSite=Strict"}};
  return response;
}

const std::vector<HttpHeader>& protective_headers() {
  static const std::vector<HttpHeader> headers{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
       "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
  };
  return headers;
}

std::string fresh_token() {
  std::array<unsigned char, 32> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(ErrorCode::RunFailed, "the system gives no random bytes for a token");
  std::string text;
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

bool is_loopback_host(const std::string& host) {
  in_addr four{};
  if (inet_pton(AF_INET, host.c_str(), &four) == 1) return (ntohl(four.s_addr) >> 24) == 127;
  return host == "localhost" || host == "::1";
}

}  // namespace espalier
