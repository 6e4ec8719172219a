// SPDX-License-Identifier: Apache-2.0
#include "certificates/temporary_certificates.h"

#include <cstdlib>
#include <string>
#include <system_error>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::chrono::days kLongestLocalRun{60};

Validity for_a_run() { return valid_for(kLongestLocalRun, std::chrono::system_clock::now()); }

std::filesystem::path fresh_folder(const std::filesystem::path& parent) {
  std::string pattern = (parent / "certificates-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw Error(ErrorCode::RunFailed, parent.string() + ": cannot make a folder for certificates");
  return pattern;
}

}  // namespace

TemporaryCertificates::TemporaryCertificates(const std::filesystem::path& parent)
    : folder_(CertificateFolder::create(fresh_folder(parent), for_a_run())) {}

TemporaryCertificates::~TemporaryCertificates() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_.path(), ignored);
}

std::filesystem::path TemporaryCertificates::issue(const std::string& name) {
  return folder_.issue(name, for_a_run());
}

}  // namespace espalier
