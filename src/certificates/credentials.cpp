// SPDX-License-Identifier: Apache-2.0
#include "certificates/credentials.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>

#include "core/error.h"
#include "objects/folder.h"
#include "wire/names.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestPem = 1 << 16;
constexpr mode_t kOthersMay = S_IRWXG | S_IRWXO;

[[noreturn]] void refuse_file(const fs::path& path, const std::string& why,
                              const std::string& hint) {
  throw Error(ErrorCode::BadInput, path.string() + ": " + why, hint);
}

std::string read_pem(const fs::path& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0)
    refuse_file(path, std::generic_category().message(errno),
                "'espalier cert node NAME' makes the folder of a node; copy all of it");
  if (!S_ISREG(about.st_mode)) refuse_file(path, "not a file", "give the folder of one node");
  return OpenFile::to_read(path).read(0, kLongestPem);
}

void require_private(const fs::path& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0 && (about.st_mode & kOthersMay) == 0) return;
  refuse_file(path, "others may read this private key", "chmod 600 '" + path.string() + "'");
}

CertificateFacts facts_in(const fs::path& path, const std::string& pem) {
  try {
    return facts_of(pem);
  } catch (const Error& error) {
    refuse_file(path, error.what(), "it is damaged, or another file; make it anew");
  }
}

void require_match(const CredentialFiles& files, const Credentials& own) {
  try {
    if (belong_together(own.key, own.certificate)) return;
  } catch (const Error& error) {
    refuse_file(files.key, error.what(), "it is damaged, or another file; make it anew");
  }
  refuse_file(files.key, "this key does not belong to '" + files.certificate.string() + "'",
              "copy both from the same folder, or make both anew with 'espalier cert node NAME'");
}

void require_valid(const fs::path& path, const CertificateFacts& facts, WallTime now) {
  if (now > facts.until)
    refuse_file(path, "this certificate has expired",
                "make a new one: 'espalier cert revoke NAME', 'espalier cert node NAME'");
  if (now < facts.from)
    refuse_file(path, "this certificate is not valid yet", "is the clock of this machine right?");
}

}  // namespace

CredentialFiles credential_files_in(const fs::path& folder) {
  return {folder / kAuthorityFile, folder / kCertificateFile, folder / kKeyFile};
}

Credentials load_credentials(const CredentialFiles& files, WallTime now) {
  Credentials own;
  own.authority = read_pem(files.authority);
  own.certificate = read_pem(files.certificate);
  own.key = read_pem(files.key);
  require_private(files.key);
  facts_in(files.authority, own.authority);
  const CertificateFacts facts = facts_in(files.certificate, own.certificate);
  require_match(files, own);
  if (!is_signed_by(own.certificate, own.authority))
    refuse_file(files.certificate,
                "not signed by the authority in '" + files.authority.string() + "'",
                "copy all files from the same folder");
  require_valid(files.certificate, facts, now);
  own.name = facts.name;
  if (!is_wire_name(own.name))
    refuse_file(files.certificate, "the name in it is not one of a node",
                "make it with 'espalier cert node NAME'");
  return own;
}

Credentials load_credentials(const fs::path& folder) {
  return load_credentials(credential_files_in(folder), std::chrono::system_clock::now());
}

}  // namespace espalier
