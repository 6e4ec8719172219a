// SPDX-License-Identifier: Apache-2.0
#include "net/line.h"

#include <cerrno>
#include <memory>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

namespace espalier {
namespace {

struct FreePeer {
  void operator()(BIO* buffer) const { BIO_free(buffer); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};

// Of TLS, as OpenSSL words it.
std::string last_reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* words = ERR_reason_error_string(code);
  ERR_clear_error();
  return words != nullptr ? words : "TLS failed";
}

}  // namespace

void Line::fail(int error) {
  failure_ = Error(ErrorCode::RunFailed,
                   error == 0 ? "the connection ended"
                              : "the connection ended: " + std::generic_category().message(error));
}

std::size_t Line::result_of(int count) {
  const int system = errno;
  waits_for_ = 0;
  if (count > 0) return static_cast<std::size_t>(count);
  switch (SSL_get_error(session_.get(), count)) {
    case SSL_ERROR_WANT_READ:
      waits_for_ = POLLIN;
      return 0;
    case SSL_ERROR_WANT_WRITE:
      waits_for_ = POLLOUT;
      return 0;
    case SSL_ERROR_ZERO_RETURN:
      fail(0);
      return 0;
    case SSL_ERROR_SYSCALL:
      ERR_clear_error();
      fail(system);
      return 0;
    default:
      // A node learns that its certificate is not accepted when it first receives something.
      failure_ = Error(has_received_ ? ErrorCode::RunFailed : ErrorCode::NotAllowed, last_reason());
      return 0;
  }
}

std::size_t Line::plain_result_of(long count, short waits_for) {
  waits_for_ = 0;
  if (count > 0) return static_cast<std::size_t>(count);
  const bool has_to_wait = count < 0 && (errno == EAGAIN || errno == EINTR);
  if (!has_to_wait) fail(count < 0 ? errno : 0);
  if (has_to_wait) waits_for_ = waits_for;
  return 0;
}

bool Line::shake_hands() {
  if (!session_) return true;
  if (failure_) return false;
  ERR_clear_error();
  if (result_of(SSL_do_handshake(session_.get())) == 0) return false;
  if (!Tls::is_stream(*session_))
    failure_ = Error(ErrorCode::NotAllowed, "the other side means no stream of objects");
  return !failure_;
}

std::size_t Line::receive(std::span<char> room) {
  if (failure_) return 0;
  if (!session_)
    return plain_result_of(::recv(socket_.value(), room.data(), room.size(), 0), POLLIN);
  ERR_clear_error();
  const std::size_t count =
      result_of(SSL_read(session_.get(), room.data(), static_cast<int>(room.size())));
  has_received_ = has_received_ || count > 0;
  return count;
}

std::size_t Line::send(std::string_view bytes) {
  if (failure_) return 0;
  if (!session_)
    return plain_result_of(::send(socket_.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
                           POLLOUT);
  ERR_clear_error();
  return result_of(SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size())));
}

void Line::end_sending() {
  if (session_ && !failure_) SSL_shutdown(session_.get());
  ERR_clear_error();
  ::shutdown(socket_.value(), SHUT_WR);
}

bool Line::has_more() const { return session_ && SSL_has_pending(session_.get()) == 1; }

bool Line::is_quiet() const {
  char byte = 0;
  const auto count = ::recv(socket_.value(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return !failure_ && !has_more() && count < 0 && errno == EAGAIN;
}

std::string Line::certificate() const {
  if (!session_) return {};
  const std::unique_ptr<X509, FreePeer> peer(SSL_get1_peer_certificate(session_.get()));
  const std::unique_ptr<BIO, FreePeer> buffer(BIO_new(BIO_s_mem()));
  if (!peer || PEM_write_bio_X509(buffer.get(), peer.get()) != 1) return {};
  char* text = nullptr;
  const long size = BIO_get_mem_data(buffer.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace espalier
