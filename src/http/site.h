// SPDX-License-Identifier: Apache-2.0
// What the server can be asked: routes behind a gate.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "http/exchange.h"
#include "http/gate.h"
#include "http/traffic.h"

namespace espalier {

// What stands in the path where the pattern has braces, in order.
using PathParts = std::vector<std::string>;
using HttpHandler = std::function<HttpResponse(const HttpRequest&, const PathParts&)>;

struct Route {
  std::string method;   // GET or POST
  std::string pattern;  // "/api/v1/examples/{name}"; braces take one part without a slash
  HttpHandler handler;
};

// Immutable but for what it counts; thread-safe.
class Site {
 public:
  // What is counted goes to `traffic`, which must outlive the site.
  Site(Gate gate, std::vector<Route> routes, Traffic& traffic);

  // Always an answer. Errors become error documents: 400 for bad input, 500 for what is our fault.
  HttpResponse answer(const HttpRequest& request);

  const std::vector<Route>& routes() const { return routes_; }
  Traffic& traffic() { return traffic_; }

 private:
  HttpResponse admitted(const HttpRequest& request, std::string& pattern);
  HttpResponse routed(const HttpRequest& request, std::string& pattern);

  Gate gate_;
  std::vector<Route> routes_;
  Traffic& traffic_;
};

}  // namespace espalier
