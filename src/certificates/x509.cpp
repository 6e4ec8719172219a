// SPDX-License-Identifier: Apache-2.0
#include "certificates/x509.h"

#include <algorithm>
#include <memory>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "core/error.h"
#include "wire/digest.h"

namespace espalier {
namespace {

template <class T, void (*release)(T*)>
struct Release {
  void operator()(T* what) const { release(what); }
};
using Certificate = std::unique_ptr<X509, Release<X509, X509_free>>;
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY, EVP_PKEY_free>>;
using Buffer = std::unique_ptr<BIO, Release<BIO, BIO_free_all>>;
using Number = std::unique_ptr<BIGNUM, Release<BIGNUM, BN_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION, X509_EXTENSION_free>>;

constexpr int kSerialBits = 127;
constexpr std::chrono::hours kClockSlack{1};

Buffer buffer_of(const std::string& text) {
  Buffer buffer(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  ESPALIER_CHECK(buffer);
  return buffer;
}

std::string text_of(BIO& buffer) {
  char* bytes = nullptr;
  const long count = BIO_get_mem_data(&buffer, &bytes);
  return {bytes, static_cast<std::size_t>(count)};
}

// Keys are never encrypted here: whoever asks for a password gets none.
int no_password(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*unused*/) { return 0; }

Certificate read_certificate(const std::string& pem) {
  Certificate certificate(PEM_read_bio_X509(buffer_of(pem).get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (!certificate) throw Error(ErrorCode::BadInput, "this is not a certificate");
  return certificate;
}

Key read_key(const std::string& pem) {
  Key key(PEM_read_bio_PrivateKey(buffer_of(pem).get(), nullptr, no_password, nullptr));
  ERR_clear_error();
  if (!key) throw Error(ErrorCode::BadInput, "this is not a private key without a password");
  return key;
}

std::string pem_of(X509& certificate) {
  const Buffer buffer(BIO_new(BIO_s_mem()));
  ESPALIER_CHECK(buffer && PEM_write_bio_X509(buffer.get(), &certificate) == 1);
  return text_of(*buffer);
}

std::string pem_of(EVP_PKEY& key) {
  const Buffer buffer(BIO_new(BIO_s_mem()));
  ESPALIER_CHECK(buffer && PEM_write_bio_PKCS8PrivateKey(buffer.get(), &key, nullptr, nullptr, 0,
                                                         nullptr, nullptr) == 1);
  return text_of(*buffer);
}

void set_random_serial(X509& certificate) {
  const Number number(BN_new());
  ESPALIER_CHECK(number && BN_rand(number.get(), kSerialBits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY));
  ESPALIER_CHECK(BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate)));
}

void set_name(X509& certificate, const std::string& name) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(name.c_str());
  ESPALIER_CHECK(X509_NAME_add_entry_by_txt(X509_get_subject_name(&certificate), "CN",
                                            MBSTRING_UTF8, bytes, -1, -1, 0) == 1);
}

void set_validity(X509& certificate, Validity validity) {
  using std::chrono::system_clock;
  ESPALIER_CHECK(
      ASN1_TIME_set(X509_getm_notBefore(&certificate), system_clock::to_time_t(validity.from)));
  ESPALIER_CHECK(
      ASN1_TIME_set(X509_getm_notAfter(&certificate), system_clock::to_time_t(validity.until)));
}

Certificate blank(const std::string& name, Validity validity, EVP_PKEY& key) {
  Certificate certificate(X509_new());
  ESPALIER_CHECK(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1);
  set_random_serial(*certificate);
  set_name(*certificate, name);
  set_validity(*certificate, validity);
  ESPALIER_CHECK(X509_set_pubkey(certificate.get(), &key) == 1);
  return certificate;
}

struct ExtensionText {
  int kind;
  std::string value;
};

void extend(X509& certificate, X509& issuer, std::initializer_list<ExtensionText> extensions) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  for (const ExtensionText& one : extensions) {
    const Extension extension(X509V3_EXT_nconf_nid(nullptr, &context, one.kind, one.value.c_str()));
    ESPALIER_CHECK(extension && X509_add_ext(&certificate, extension.get(), -1) == 1);
  }
}

std::string signed_pem(X509& certificate, X509& issuer, EVP_PKEY& key) {
  ESPALIER_CHECK(X509_set_issuer_name(&certificate, X509_get_subject_name(&issuer)) == 1);
  ESPALIER_CHECK(X509_sign(&certificate, &key, EVP_sha256()) > 0);
  return pem_of(certificate);
}

Key fresh_key() {
  Key key(EVP_EC_gen("P-256"));
  ESPALIER_CHECK(key);
  return key;
}

std::string common_name(X509& certificate) {
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, at) >= 0) return {};
  const ASN1_STRING* text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at));
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

std::string fingerprint(X509& certificate) {
  unsigned char* bytes = nullptr;
  const int count = i2d_X509(&certificate, &bytes);
  ESPALIER_CHECK(count > 0);
  const std::string digest =
      object_of({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count)}).sha256;
  OPENSSL_free(bytes);
  return digest;
}

WallTime time_of(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1)
    throw Error(ErrorCode::BadInput, "this certificate has no proper validity");
  return wall_time(::timegm(&parts));
}

}  // namespace

WallTime wall_time(std::int64_t seconds) {
  using Seconds = std::chrono::seconds;
  constexpr auto kLast = std::chrono::duration_cast<Seconds>(WallTime::max().time_since_epoch());
  return WallTime(Seconds(std::clamp<std::int64_t>(seconds, -kLast.count(), kLast.count())));
}

Validity valid_for(std::chrono::days days, WallTime now) { return {now - kClockSlack, now + days}; }

KeyAndCertificate make_authority(const std::string& name, Validity validity) {
  const Key key = fresh_key();
  const Certificate certificate = blank(name, validity, *key);
  extend(*certificate, *certificate,
         {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
          {NID_key_usage, "critical,keyCertSign,cRLSign"},
          {NID_subject_key_identifier, "hash"}});
  return {pem_of(*key), signed_pem(*certificate, *certificate, *key)};
}

KeyAndCertificate make_signed(const std::string& name, CertificateUse use, Validity validity,
                              const KeyAndCertificate& authority) {
  const Certificate issuer = read_certificate(authority.certificate);
  const Key issuer_key = read_key(authority.key);
  const Key key = fresh_key();
  const Certificate certificate = blank(name, validity, *key);
  extend(*certificate, *issuer,
         {{NID_basic_constraints, "critical,CA:FALSE"},
          {NID_key_usage, "critical,digitalSignature"},
          {NID_ext_key_usage, use == CertificateUse::Node ? "clientAuth" : "serverAuth"},
          {NID_subject_alt_name, "DNS:" + name},
          {NID_subject_key_identifier, "hash"},
          {NID_authority_key_identifier, "keyid:always"}});
  return {pem_of(*key), signed_pem(*certificate, *issuer, *issuer_key)};
}

CertificateFacts facts_of(const std::string& pem) {
  const Certificate certificate = read_certificate(pem);
  return {common_name(*certificate), fingerprint(*certificate),
          time_of(X509_get0_notBefore(certificate.get())),
          time_of(X509_get0_notAfter(certificate.get()))};
}

bool belong_together(const std::string& key, const std::string& certificate) {
  const bool same =
      X509_check_private_key(read_certificate(certificate).get(), read_key(key).get()) == 1;
  ERR_clear_error();
  return same;
}

bool is_signed_by(const std::string& certificate, const std::string& authority) {
  const Certificate issuer = read_certificate(authority);
  const bool is_signed =
      X509_verify(read_certificate(certificate).get(), X509_get0_pubkey(issuer.get())) == 1;
  ERR_clear_error();
  return is_signed;
}

}  // namespace espalier
