// SPDX-License-Identifier: Apache-2.0
#include "net/tls.h"

#include <cerrno>
#include <string_view>
#include <sys/socket.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "certificates/certificate_folder.h"
#include "core/error.h"

namespace espalier {
namespace {

// The order of gRPC.
constexpr const char* kCiphers =
    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256";

// With its length before it, as TLS writes it.
constexpr std::string_view kProtocol =
    "\x12"
    "espalier-objects/1";

const unsigned char* protocol_bytes() {
  return reinterpret_cast<const unsigned char*>(kProtocol.data());
}

struct FreeParts {
  void operator()(BIO* buffer) const { BIO_free(buffer); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
template <class Part>
using Owned = std::unique_ptr<Part, FreeParts>;

void require_sound(bool holds, const char* what) {
  if (holds) return;
  ERR_clear_error();
  throw Error(ErrorCode::BadInput, std::string("TLS cannot be set up: ") + what);
}

Owned<BIO> text_of(const std::string& pem) {
  return Owned<BIO>(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

Owned<X509> certificate_of(const std::string& pem) {
  return Owned<X509>(PEM_read_bio_X509(text_of(pem).get(), nullptr, nullptr, nullptr));
}

Owned<EVP_PKEY> key_of(const std::string& pem) {
  return Owned<EVP_PKEY>(PEM_read_bio_PrivateKey(text_of(pem).get(), nullptr, nullptr, nullptr));
}

void introduce(SSL_CTX& context, const Credentials& own) {
  const auto authority = certificate_of(own.authority);
  require_sound(SSL_CTX_use_certificate(&context, certificate_of(own.certificate).get()) == 1,
                "the certificate");
  require_sound(SSL_CTX_use_PrivateKey(&context, key_of(own.key).get()) == 1, "the key");
  require_sound(
      authority && X509_STORE_add_cert(SSL_CTX_get_cert_store(&context), authority.get()) == 1,
      "the authority");
}

void set_rules(SSL_CTX& context) {
  require_sound(SSL_CTX_set_min_proto_version(&context, TLS1_3_VERSION) == 1, "the version");
  require_sound(SSL_CTX_set_ciphersuites(&context, kCiphers) == 1, "the ciphers");
  SSL_CTX_set_verify(&context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(&context, 0);
  // Sizes and digests tell whether all has come.
  SSL_CTX_set_options(&context, SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_NO_TICKET);
  SSL_CTX_set_mode(&context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                 SSL_MODE_RELEASE_BUFFERS);
}

// One that does not offer ours is refused. OpenSSL says what it takes.
// NOLINTNEXTLINE(readability-function-size)
int choose_protocol(SSL* /*session*/, const unsigned char** chosen, unsigned char* length,
                    const unsigned char* offered, unsigned int offered_length, void* /*unused*/) {
  unsigned char* found = nullptr;
  const int outcome = SSL_select_next_proto(&found, length, protocol_bytes(), kProtocol.size(),
                                            offered, offered_length);
  *chosen = found;
  return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

void name_protocol(SSL_CTX& context) {
  // 0 means that it went well, unlike everywhere else.
  require_sound(SSL_CTX_set_alpn_protos(&context, protocol_bytes(), kProtocol.size()) == 0,
                "the protocol");
  SSL_CTX_set_alpn_select_cb(&context, choose_protocol, nullptr);
}

int socket_of(BIO* wire) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(wire)));
}

bool is_passing(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

// OpenSSL's own would end the process with SIGPIPE where the peer is gone.
int send_bytes(BIO* wire, const char* bytes, int count) {
  BIO_clear_retry_flags(wire);
  const auto sent = ::send(socket_of(wire), bytes, static_cast<std::size_t>(count), MSG_NOSIGNAL);
  if (sent < 0 && is_passing(errno)) BIO_set_retry_write(wire);
  return static_cast<int>(sent);
}

int receive_bytes(BIO* wire, char* room, int count) {
  BIO_clear_retry_flags(wire);
  const auto received = ::recv(socket_of(wire), room, static_cast<std::size_t>(count), 0);
  if (received == 0) BIO_set_flags(wire, BIO_FLAGS_IN_EOF);
  if (received < 0 && is_passing(errno)) BIO_set_retry_read(wire);
  return static_cast<int>(received);
}

long control(BIO* wire, int command, long /*unused*/, void* /*unused*/) {
  if (command == BIO_CTRL_EOF) return BIO_test_flags(wire, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

struct FreeMethod {
  void operator()(BIO_METHOD* method) const { BIO_meth_free(method); }
};

const BIO_METHOD* wire_method() {
  static const std::unique_ptr<BIO_METHOD, FreeMethod> method = [] {
    std::unique_ptr<BIO_METHOD, FreeMethod> made(
        BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "espalier socket"));
    BIO_meth_set_write(made.get(), send_bytes);
    BIO_meth_set_read(made.get(), receive_bytes);
    BIO_meth_set_ctrl(made.get(), control);
    return made;
  }();
  return method.get();
}

BIO* wire_of(int socket) {
  BIO* wire = BIO_new(wire_method());
  ESPALIER_CHECK(wire != nullptr);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  BIO_set_data(wire, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
  BIO_set_init(wire, 1);
  return wire;
}

}  // namespace

void FreeTls::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void FreeTls::operator()(ssl_st* session) const { SSL_free(session); }

Tls::Tls(const Credentials& own, TlsSide side)
    : side_(side),
      context_(
          SSL_CTX_new(side == TlsSide::Orchestrator ? TLS_server_method() : TLS_client_method())) {
  require_sound(context_ != nullptr, "no memory");
  introduce(*context_, own);
  set_rules(*context_);
  name_protocol(*context_);
}

bool Tls::is_stream(const ssl_st& session) {
  const unsigned char* name = nullptr;
  unsigned int length = 0;
  SSL_get0_alpn_selected(&session, &name, &length);
  return name != nullptr &&
         std::string_view(reinterpret_cast<const char*>(name), length) == kProtocol.substr(1);
}

TlsSession Tls::session(int socket) const {
  TlsSession session(SSL_new(context_.get()));
  ESPALIER_CHECK(session);
  BIO* wire = wire_of(socket);
  SSL_set_bio(session.get(), wire, wire);
  if (side_ == TlsSide::Orchestrator) {
    SSL_set_accept_state(session.get());
    return session;
  }
  SSL_set_connect_state(session.get());
  ESPALIER_CHECK(SSL_set1_host(session.get(), kOrchestratorName) == 1);
  SSL_set_tlsext_host_name(session.get(), kOrchestratorName);
  return session;
}

}  // namespace espalier
