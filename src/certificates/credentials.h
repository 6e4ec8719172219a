// SPDX-License-Identifier: Apache-2.0
// Who one is on the network: what a connection needs for both sides to know each other.
#pragma once

#include <filesystem>
#include <string>

#include "certificates/x509.h"

namespace espalier {

// The files of one party, in a folder of its own.
inline constexpr const char* kAuthorityFile = "ca.pem";
inline constexpr const char* kCertificateFile = "certificate.pem";
inline constexpr const char* kKeyFile = "key.pem";

// All as PEM. Sound: made by load_credentials.
struct Credentials {
  std::string authority;
  std::string certificate;
  std::string key;
  std::string name;  // in the certificate
};

struct CredentialFiles {
  std::filesystem::path authority;
  std::filesystem::path certificate;
  std::filesystem::path key;
};
CredentialFiles credential_files_in(const std::filesystem::path& folder);

// Throws Error{BadInput} with a hint where a file is missing or is not what it should be, where
// others may read the key, where key and certificate do not match, where the authority has not
// signed it, and where it is not valid `now`.
Credentials load_credentials(const CredentialFiles& files, WallTime now);
// Now, and from where CertificateFolder puts them.
Credentials load_credentials(const std::filesystem::path& folder);

}  // namespace espalier
