// SPDX-License-Identifier: Apache-2.0
// The only source that includes the HTTP library.
#include "http/server.h"

#include <algorithm>
#include <httplib.h>
#include <stop_token>
#include <thread>

#include "core/error.h"
#include "io/wording.h"

namespace espalier {
namespace {

// A scenario has at most 4 MiB, and inside JSON some of it is escaped.
constexpr std::size_t kMostBody = 9 << 20;
// Threads beside those of the streams: for pages that keep their connections open for a while.
constexpr int kOtherThreads = 24;

HttpRequest request_of(const httplib::Request& from) {
  HttpRequest request{from.method, from.path, {}, {}, from.body};
  for (const auto& [name, value] : from.params) request.query.emplace(name, value);
  for (const auto& [name, value] : from.headers) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    request.headers.emplace(std::move(lower), value);
  }
  return request;
}

int bound_port(httplib::Server& server, const ServerOptions& options) {
  const int port = options.port == 0 ? server.bind_to_any_port(options.host)
                   : server.bind_to_port(options.host, options.port) ? options.port
                                                                     : -1;
  if (port > 0) return port;
  throw Error(ErrorCode::RunFailed,
              "cannot listen on " + shown(options.host) + ":" + std::to_string(options.port),
              "another program may be there; try --listen " + shown(options.host) + ":0");
}

}  // namespace

class HttpServer::Engine {
 public:
  Engine(Site& site, const ServerOptions& options) : site_(site), options_(options) {
    configure();
    port_ = bound_port(server_, options);
    listener_ = std::jthread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }

  ~Engine() {
    stopping_.request_stop();
    server_.stop();
  }

  int port() const { return port_; }

 private:
  void configure() {
    const auto threads = static_cast<std::size_t>(options_.most_streams + kOtherThreads);
    server_.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
    // The default lets two servers share a port.
    server_.set_socket_options([](int socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server_.set_tcp_nodelay(true);
    server_.set_keep_alive_max_count(1000);
    server_.set_payload_max_length(kMostBody);
    const auto answer = [this](const httplib::Request& from, httplib::Response& to) {
      put(site_.answer(request_of(from)), to);
    };
    server_.Get(".*", answer);
    server_.Post(".*", answer);
    // Whatever the library refuses by itself looks like everything else.
    server_.set_error_handler([](const httplib::Request&, httplib::Response& to) {
      if (to.has_header(protective_headers().front().name)) return;
      HttpResponse plain = refusal(to.status, "the request was not understood");
      for (const HttpHeader& header : protective_headers())
        to.set_header(header.name, header.value);
      to.set_content(plain.body, plain.type);
    });
  }

  void put(HttpResponse from, httplib::Response& to) {
    if (from.stream && !site_.traffic().open_stream(options_.most_streams)) {
      from.stream.reset();
      const HttpResponse full = refusal(503, "too many event streams are open");
      from.status = full.status;
      from.body = full.body;
    }
    to.status = from.status;
    for (const HttpHeader& header : from.headers) to.set_header(header.name, header.value);
    if (from.stream)
      put_stream(from, to);
    else
      put_body(std::move(from), to);
  }

  // By a provider, because the library compresses other bodies, and takes seconds for large ones.
  static void put_body(HttpResponse from, httplib::Response& to) {
    if (from.body.empty()) return;
    const std::size_t size = from.body.size();
    to.set_content_provider(size, from.type,
                            [body = std::move(from.body)](std::size_t offset, std::size_t length,
                                                          httplib::DataSink& sink) {
                              return sink.write(body.data() + offset, length);
                            });
  }

  void put_stream(const HttpResponse& from, httplib::Response& to) {
    const auto provide = [stream = from.stream, stop = stopping_.get_token()](
                             std::size_t, httplib::DataSink& sink) {
      const auto part = stream->next(stop);
      if (!part) {
        sink.done();
        return true;
      }
      return sink.is_writable() && sink.write(part->data(), part->size());
    };
    to.set_chunked_content_provider(from.type, provide,
                                    [this](bool) { site_.traffic().close_stream(); });
  }

  Site& site_;
  const ServerOptions options_;
  httplib::Server server_;
  int port_ = 0;
  std::stop_source stopping_;
  std::jthread listener_;
};

HttpServer::HttpServer(Site& site, const ServerOptions& options)
    : engine_(std::make_unique<Engine>(site, options)) {}

HttpServer::~HttpServer() = default;

int HttpServer::port() const { return engine_->port(); }

}  // namespace espalier
