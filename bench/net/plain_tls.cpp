// SPDX-License-Identifier: Apache-2.0
#include "net/plain_tls.h"

#include <atomic>
#include <barrier>
#include <fcntl.h>
#include <memory>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "core/error.h"

namespace espalier::bench {
namespace {

constexpr std::size_t kBuffer = 128 * 1024;

void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorCode::RunFailed, std::string("plain TLS: ") + what);
}

struct FreeContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, FreeContext>;

BIO* memory_of(const std::string& text) {
  return BIO_new_mem_buf(text.data(), static_cast<int>(text.size()));
}

Context context_of(const Credentials& own, const SSL_METHOD* method) {
  Context context(SSL_CTX_new(method));
  BIO* certificate_text = memory_of(own.certificate);
  BIO* key_text = memory_of(own.key);
  BIO* authority_text = memory_of(own.authority);
  X509* certificate = PEM_read_bio_X509(certificate_text, nullptr, nullptr, nullptr);
  EVP_PKEY* key = PEM_read_bio_PrivateKey(key_text, nullptr, nullptr, nullptr);
  X509* authority = PEM_read_bio_X509(authority_text, nullptr, nullptr, nullptr);
  require(SSL_CTX_use_certificate(context.get(), certificate) == 1, "certificate");
  require(SSL_CTX_use_PrivateKey(context.get(), key) == 1, "key");
  require(X509_STORE_add_cert(SSL_CTX_get_cert_store(context.get()), authority) == 1, "authority");
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  X509_free(certificate);
  X509_free(authority);
  EVP_PKEY_free(key);
  BIO_free(certificate_text);
  BIO_free(key_text);
  BIO_free(authority_text);
  return context;
}

class Connection {
 public:
  Connection(SSL_CTX& context, int socket, bool is_server) : socket_(socket) {
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ssl_ = SSL_new(&context);
    SSL_set_fd(ssl_, socket_);
    require((is_server ? SSL_accept(ssl_) : SSL_connect(ssl_)) == 1, "handshake");
  }
  ~Connection() {
    SSL_shutdown(ssl_);
    SSL_free(ssl_);
    ::close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send_file(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    require(file >= 0, "open");
    std::vector<char> buffer(kBuffer);
    for (ssize_t count; (count = ::read(file, buffer.data(), buffer.size())) > 0;)
      require(SSL_write(ssl_, buffer.data(), static_cast<int>(count)) == count, "send");
    ::close(file);
  }

  void receive_file(const std::filesystem::path& path, std::uint64_t bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(file >= 0, "open");
    std::vector<char> buffer(kBuffer);
    while (bytes > 0) {
      const int count =
          SSL_read(ssl_, buffer.data(), static_cast<int>(std::min<std::uint64_t>(bytes, kBuffer)));
      require(count > 0, "receive");
      require(::write(file, buffer.data(), static_cast<std::size_t>(count)) == count, "write");
      bytes -= static_cast<std::uint64_t>(count);
    }
    require(::fsync(file) == 0, "flush");
    ::close(file);
  }

  void send_byte() { require(SSL_write(ssl_, "x", 1) == 1, "send"); }
  void receive_byte() {
    char byte = 0;
    require(SSL_read(ssl_, &byte, 1) == 1, "receive");
  }

 private:
  SSL* ssl_ = nullptr;
  int socket_;
};

sockaddr_in loopback_address(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

void serve_one(Connection& connection, const CopyWork& work, int number, std::barrier<>& all) {
  const auto update = work.folder / ("plain-" + std::to_string(number));
  for (int round = 0; round < work.rounds; ++round) {
    connection.send_file(work.model);
    connection.receive_file(update, work.bytes);
    connection.send_byte();
    all.arrive_and_wait();
    std::filesystem::remove(update);
  }
}

}  // namespace

PlainServer::PlainServer(const Credentials& own, CopyWork work)
    : own_(own), work_(std::move(work)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address = loopback_address(0);
  socklen_t size = sizeof address;
  require(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind");
  require(::listen(listener_, 1024) == 0, "listen");
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
}

PlainServer::~PlainServer() { ::close(listener_); }

Moment PlainServer::serve(pid_t others) {
  const Context context = context_of(own_, TLS_server_method());
  std::vector<std::unique_ptr<Connection>> connections;
  for (int i = 0; i < work_.connections; ++i) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    require(socket >= 0, "accept");
    connections.push_back(std::make_unique<Connection>(*context, socket, true));
  }
  std::vector<std::jthread> threads;
  std::atomic<int> served = 0;
  std::barrier<> all(work_.connections);
  const Moment begin = moment_of(::getpid(), others);
  for (int i = 0; i < work_.connections; ++i) {
    threads.emplace_back([&, i] {
      try {
        serve_one(*connections[static_cast<std::size_t>(i)], work_, i, all);
        ++served;
      } catch (const Error&) {
        all.arrive_and_drop();
      }
    });
  }
  threads.clear();
  const Moment end = moment_of(::getpid(), others);
  require(served == work_.connections, "a client was not served");
  return end - begin;
}

void copy_as_client(const Credentials& own, int port, const CopyWork& work,
                    const std::function<std::filesystem::path(int round)>& update_of) {
  const Context context = context_of(own, TLS_client_method());
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback_address(port);
  require(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0,
          "connect");
  Connection connection(*context, socket, false);
  for (int round = 0; round < work.rounds; ++round) {
    const std::filesystem::path update = update_of(round);
    const std::filesystem::path model = update.string() + ".model";
    connection.receive_file(model, work.bytes);
    std::filesystem::remove(model);
    connection.send_file(update);
    connection.receive_byte();
  }
}

}  // namespace espalier::bench
