// SPDX-License-Identifier: Apache-2.0
#include "wire/digest.h"

#include <array>
#include <fstream>
#include <vector>

#include <openssl/evp.h>

#include "core/file_error.h"

namespace espalier {
namespace {

constexpr std::size_t kPiece = 1U << 20U;

void check_digest(int answer) {
  if (answer != 1) throw Error(ErrorCode::RunFailed, "the library of digests failed");
}

std::string in_hexadecimal(const unsigned char* bytes, std::size_t count) {
  constexpr std::string_view kDigitsOf = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigitsOf[bytes[i] >> 4U];
    text += kDigitsOf[bytes[i] & 15U];
  }
  return text;
}

}  // namespace

struct Digest::Context {
  Context() : library(EVP_MD_CTX_new()) {
    check_digest(library != nullptr ? EVP_DigestInit_ex(library, EVP_sha256(), nullptr) : 0);
  }
  ~Context() { EVP_MD_CTX_free(library); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  EVP_MD_CTX* library;
};

Digest::Digest() : context_(std::make_unique<Context>()) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(std::string_view bytes) {
  check_digest(EVP_DigestUpdate(context_->library, bytes.data(), bytes.size()));
}

std::string Digest::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  check_digest(EVP_DigestFinal_ex(context_->library, bytes.data(), &size));
  return in_hexadecimal(bytes.data(), size);
}

ObjectRef object_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return {digest.finish(), bytes.size()};
}

ObjectRef object_in(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  std::vector<char> piece(kPiece);
  Digest digest;
  std::uint64_t size = 0;
  while (input) {
    input.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto count = static_cast<std::size_t>(input.gcount());
    digest.add({piece.data(), count});
    size += count;
  }
  if (!input.eof()) throw FileError("'" + file.string() + "' cannot be read");
  return {digest.finish(), size};
}

}  // namespace espalier
