// SPDX-License-Identifier: Apache-2.0
// A site on a socket.
#pragma once

#include <memory>
#include <string>

#include "http/site.h"

namespace espalier {

struct ServerOptions {
  std::string host = "127.0.0.1";
  int port = 0;            // 0: any that is free
  int most_streams = 200;  // each has a thread
};

// Listens from its construction on; answers on threads of its own until it is destroyed.
class HttpServer {
 public:
  // `site` must outlive it. Throws Error{RunFailed} if the address cannot be had.
  HttpServer(Site& site, const ServerOptions& options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;

 private:
  class Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace espalier
