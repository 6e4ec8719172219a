// SPDX-License-Identifier: Apache-2.0
#include "http/site.h"

#include <chrono>
#include <optional>

#include "core/error.h"
#include "io/wording.h"

namespace espalier {
namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t end = std::min(path.find('/', at + 1), path.size());
    parts.push_back(path.substr(at + 1, end - at - 1));
    at = end;
  }
  return parts;
}

// Nothing if the path is not of that pattern.
std::optional<PathParts> parts_of(const std::string& pattern, const std::string& path) {
  const auto wanted = split_path(pattern);
  const auto given = split_path(path);
  if (wanted.size() != given.size()) return std::nullopt;
  PathParts parts;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{'))
      parts.push_back(given[i]);
    else if (wanted[i] != given[i])
      return std::nullopt;
  }
  return parts;
}

HttpResponse response_to(const Error& error) {
  const bool is_theirs = error.code() == ErrorCode::BadInput;
  return refusal(is_theirs ? 400 : 500, error.what(), error.hint());
}

}  // namespace

Site::Site(Gate gate, std::vector<Route> routes, Traffic& traffic)
    : gate_(std::move(gate)), routes_(std::move(routes)), traffic_(traffic) {}

HttpResponse Site::answer(const HttpRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  std::string pattern = "none";
  HttpResponse response = admitted(request, pattern);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  traffic_.count({pattern, response.status}, took.count());
  for (const HttpHeader& header : protective_headers()) response.headers.push_back(header);
  return response;
}

HttpResponse Site::admitted(const HttpRequest& request, std::string& pattern) {
  if (auto entrance = gate_.let_in(request)) return *entrance;
  if (auto refused = gate_.refuse(request)) return *refused;
  try {
    return routed(request, pattern);
  } catch (const Error& error) {
    return response_to(error);
  } catch (const std::bad_alloc&) {
    return refusal(503, "out of memory", "try a smaller scenario");
  } catch (const std::exception& unexpected) {
    return refusal(500, unexpected.what(), "this is a bug in espalier; please report it");
  }
}

HttpResponse Site::routed(const HttpRequest& request, std::string& pattern) {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  std::string others;
  for (const Route& route : routes_) {
    const auto parts = parts_of(route.pattern, request.path);
    if (!parts) continue;
    pattern = route.pattern;
    if (route.method == method) return route.handler(request, *parts);
    others = route.method;
  }
  if (others.empty()) return refusal(404, "there is nothing at " + shown(request.path));
  HttpResponse response = refusal(405, "this takes " + others + " only");
  response.headers.push_back({"Allow", others});
  return response;
}

}  // namespace espalier
