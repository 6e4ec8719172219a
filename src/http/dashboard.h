// SPDX-License-Identifier: Apache-2.0
// The dashboard: all routes on one server.
#pragma once

#include <string>

#include "http/gate.h"
#include "http/server.h"
#include "watching/run_watch.h"

namespace espalier {

struct DashboardOptions {
  GateOptions gate{};
  ServerOptions server{};
  std::string version{};
};

// Answers while it lives.
class Dashboard {
 public:
  // `shelf` must outlive it. Throws Error{RunFailed} if the address cannot be had.
  Dashboard(RunShelf& shelf, const DashboardOptions& options);

  int port() const { return server_.port(); }
  const Site& site() const { return site_; }

 private:
  Traffic traffic_;
  RunWatch watch_;
  Site site_;
  HttpServer server_;
};

}  // namespace espalier
