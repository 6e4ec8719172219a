// SPDX-License-Identifier: Apache-2.0
#include "certificates/temporary_certificates.h"

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"

namespace espalier {
namespace {

constexpr std::chrono::days kLongestLocalRun{60};

const std::string kPrefix = "certificates-";

Validity for_a_run() { return valid_for(kLongestLocalRun, std::chrono::system_clock::now()); }

std::filesystem::path fresh_folder(const std::filesystem::path& parent) {
  std::string pattern = (parent / (kPrefix + "XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    throw Error(ErrorCode::RunFailed, parent.string() + ": cannot make a folder for certificates");
  return pattern;
}

}  // namespace

void TemporaryCertificates::remove_left_behind(const std::filesystem::path& parent) {
  std::error_code ignored;
  std::vector<std::filesystem::path> left;
  for (const auto& entry : std::filesystem::directory_iterator(parent, ignored))
    if (entry.path().filename().string().starts_with(kPrefix)) left.push_back(entry.path());
  for (const auto& folder : left) std::filesystem::remove_all(folder, ignored);
}

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
