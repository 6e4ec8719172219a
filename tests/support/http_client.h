// SPDX-License-Identifier: Apache-2.0
// Says to a server on this machine exactly what a test wants to be said.
#pragma once

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace espalier {

struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class HttpConnection {
 public:
  explicit HttpConnection(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection");
  }
  ~HttpConnection() { close(socket_); }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void say(const std::string& text) const {
    if (send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("not sent");
  }
  // All that has come once it contains `end`; whatever there is if nothing more comes.
  std::string hear_until(const std::string& end) {
    while (heard_.find(end) == std::string::npos && hear_some()) continue;
    return heard_;
  }
  std::string hear_all() {
    while (hear_some()) continue;
    return heard_;
  }

 private:
  bool hear_some() {
    char buffer[65536];
    const ssize_t count = recv(socket_, buffer, sizeof buffer, 0);
    if (count <= 0) return false;
    heard_.append(buffer, static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  std::string heard_;
};

inline HttpAnswer parsed_answer(const std::string& text) {
  HttpAnswer answer;
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos || text.size() < 12) return answer;
  answer.status = std::stoi(text.substr(9, 3));
  for (std::size_t at = text.find("\r\n") + 2; at < end;) {
    const std::size_t next = text.find("\r\n", at);
    const std::size_t colon = text.find(':', at);
    std::string name = text.substr(at, colon - at);
    std::transform(name.begin(), name.end(), name.begin(), ::tolower);
    answer.headers[name] = text.substr(colon + 2, next - colon - 2);
    at = next + 2;
  }
  answer.body = text.substr(end + 4);
  return answer;
}

struct HttpQuestion {
  std::string method = "GET";
  std::string path = "/";
  std::string host = "127.0.0.1";
  std::string headers{};  // "Name: value\r\n" each
  std::string body{};
};

inline HttpAnswer ask(int port, const HttpQuestion& question) {
  HttpConnection connection(port);
  std::string text = question.method + " " + question.path + " HTTP/1.1\r\nHost: " + question.host +
                     "\r\nConnection: close\r\n" + question.headers;
  if (question.method == "POST")
    text += "Content-Length: " + std::to_string(question.body.size()) + "\r\n";
  connection.say(text + "\r\n" + question.body);
  return parsed_answer(connection.hear_all());
}

}  // namespace espalier
