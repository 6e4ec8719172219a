// SPDX-License-Identifier: Apache-2.0
// What is asked over HTTP and what is answered, free of any library.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace espalier {

struct HttpRequest {
  std::string method;
  std::string path;                              // decoded, without the query
  std::map<std::string, std::string> query{};    // decoded
  std::map<std::string, std::string> headers{};  // names in lower case
  std::string body{};

  // Empty if there is none.
  std::string header(const std::string& lower_case_name) const;
};

// An answer that goes on for as long as there is something to say. Owned by one thread.
class EventStream {
 public:
  virtual ~EventStream() = default;
  // What comes next, possibly after a wait of some seconds; nothing at the end, and soon after
  // `stop` is requested.
  virtual std::optional<std::string> next(std::stop_token stop) = 0;
};

struct HttpHeader {
  std::string name;
  std::string value;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body{};
  std::vector<HttpHeader> headers{};
  std::shared_ptr<EventStream> stream{};  // instead of the body
};

// One JSON document.
HttpResponse json_response(std::string document, int status = 200);

// {"schema_version":1,"status":"error",…}
HttpResponse refusal(int status, const std::string& message, const std::string& hint = {});

}  // namespace espalier
