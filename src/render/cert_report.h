// SPDX-License-Identifier: Apache-2.0
// What `cert` did, ready to be told.
#pragma once

#include <string>
#include <vector>

#include "render/ink.h"

namespace espalier {

struct ListedCertificate {
  std::string name;
  std::string state;        // "allowed", "revoked", "expired"
  std::string until;        // a day, in UTC
  std::string fingerprint;  // SHA-256
};

// One of the words for `did`: "made", "revoked".
struct CertReport {
  std::string did;
  std::string what;   // "an authority", "a certificate for gold-1"
  std::string files;  // where it is; empty: nowhere
  std::vector<std::string> notes;
  std::vector<std::string> next;  // commands
};

std::string cert_text(const CertReport& report, const Ink& ink);
std::string cert_document(const CertReport& report);
std::string certificates_text(const std::vector<ListedCertificate>& all, const Ink& ink);
std::string certificates_document(const std::vector<ListedCertificate>& all);

}  // namespace espalier
