// SPDX-License-Identifier: Apache-2.0
// A small certificate authority in a folder:
//   ca/            its key and certificate; not needed where nobody is added
//   orchestrator/  what the orchestrator needs
//   nodes/NAME/    what the node NAME needs, to be copied to it as a whole
//   allowed        the certificates that may come in
//   revoked        those that may not any more
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "certificates/x509.h"

namespace espalier {

inline constexpr const char* kAllowedFile = "allowed";
inline constexpr const char* kRevokedFile = "revoked";
// The name in the orchestrator's certificate, which nodes insist on wherever they find it.
inline constexpr const char* kOrchestratorName = "espalier-orchestrator";

enum class CertificateState { Allowed, Revoked, Expired };

struct NodeCertificate {
  std::string name;
  std::string fingerprint;
  WallTime until{};
  CertificateState state = CertificateState::Allowed;
};

// Everything throws Error{BadInput} with a hint for what people got wrong, and Error{RunFailed}
// where the disk does not play along. Keys are readable by their owner alone. Processes take turns.
class CertificateFolder {
 public:
  // Makes the authority and the orchestrator's certificate. Refuses a folder that has one.
  static CertificateFolder create(const std::filesystem::path& folder, Validity validity);
  // One that was made before.
  explicit CertificateFolder(std::filesystem::path folder);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path orchestrator_files() const;
  std::filesystem::path node_files(const std::string& name) const;

  // Returns the node's files. A name can have one certificate at a time: revoke the old one first.
  std::filesystem::path issue(const std::string& name, Validity validity);
  // All certificates of that name. In force at once.
  void revoke(const std::string& name);
  // In the order of their names, those of one name in the order in which they were made.
  std::vector<NodeCertificate> list(WallTime now) const;

 private:
  struct Known {};
  CertificateFolder(std::filesystem::path folder, Known /*is there*/) : path_(std::move(folder)) {}

  std::filesystem::path path_;
};

}  // namespace espalier
