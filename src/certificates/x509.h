// SPDX-License-Identifier: Apache-2.0
// Keys and certificates as PEM text: EC P-256, SHA-256. What cannot be read throws
// Error{BadInput}.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

using WallTime = std::chrono::system_clock::time_point;

// That many seconds after the beginning of 1970, or the nearest that there is: certificates may be
// valid until the year 9999.
WallTime wall_time(std::int64_t seconds);

struct Validity {
  WallTime from;
  WallTime until;
};

// From a little before `now`, for clocks that are behind.
Validity valid_for(std::chrono::days days, WallTime now);

struct KeyAndCertificate {
  std::string key;
  std::string certificate;
};

enum class CertificateUse { Node, Orchestrator };

// An authority that signs itself, and nothing but certificates that sign no others.
KeyAndCertificate make_authority(const std::string& name, Validity validity);
// REQUIRES: is_wire_name(name).
KeyAndCertificate make_signed(const std::string& name, CertificateUse use, Validity validity,
                              const KeyAndCertificate& authority);

struct CertificateFacts {
  std::string name;         // common name; empty if there is none, or more than one
  std::string fingerprint;  // SHA-256, hexadecimal
  WallTime from;
  WallTime until;
};

CertificateFacts facts_of(const std::string& certificate);
bool belong_together(const std::string& key, const std::string& certificate);
// Whether the authority has signed it; whether it is still valid does not matter here.
bool is_signed_by(const std::string& certificate, const std::string& authority);

}  // namespace espalier
