// SPDX-License-Identifier: Apache-2.0
// Certificates for agents that live and die with one run on one machine.
#pragma once

#include <filesystem>

#include "certificates/certificate_folder.h"

namespace espalier {

// A folder that nobody else can read, gone in the end. Valid for some days.
class TemporaryCertificates {
 public:
  // Below `parent`, which must be there. Throws Error{RunFailed}.
  explicit TemporaryCertificates(const std::filesystem::path& parent);
  TemporaryCertificates(const TemporaryCertificates&) = delete;
  TemporaryCertificates& operator=(const TemporaryCertificates&) = delete;
  ~TemporaryCertificates();

  // Those of processes that were killed. REQUIRES: nobody else makes some below `parent` now.
  static void remove_left_behind(const std::filesystem::path& parent);

  CertificateFolder& folder() { return folder_; }
  // Files for a node of that name; see CertificateFolder::issue.
  std::filesystem::path issue(const std::string& name);

 private:
  CertificateFolder folder_;
};

}  // namespace espalier
