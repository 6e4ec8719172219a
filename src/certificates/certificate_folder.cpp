// SPDX-License-Identifier: Apache-2.0
#include "certificates/certificate_folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "certificates/credentials.h"
#include "certificates/name_list.h"
#include "core/error.h"
#include "objects/folder.h"
#include "wire/names.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAuthorityFolder = "ca";
constexpr const char* kOrchestratorFolder = "orchestrator";
constexpr const char* kNodesFolder = "nodes";
constexpr const char* kAuthorityName = "espalier-authority";
constexpr std::size_t kLongestFile = std::size_t{16} << 20;

[[noreturn]] void refuse_cert(const std::string& what, const std::string& hint) {
  throw Error(ErrorCode::BadInput, what, hint);
}

[[noreturn]] void fail_cert(const fs::path& path, const char* what) {
  throw Error(ErrorCode::RunFailed,
              path.string() + ": cannot " + what + ": " + std::generic_category().message(errno));
}

void make_private_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) fail_cert(folder, "make this folder");
}

// Complete or not at all, and for the eyes of its owner.
void write_private(const fs::path& folder, const std::string& name, const std::string& text) {
  const Folder place(folder);
  const std::string temporary = "." + name + ".tmp";
  place.remove(temporary);
  const OpenFile file = place.open_or_create(temporary);
  file.write(0, text);
  file.flush();
  place.rename(temporary, name);
}

std::string read_file(const fs::path& path) {
  return OpenFile::to_read(path).read(0, kLongestFile);
}

void write_credentials(const fs::path& folder, const KeyAndCertificate& own,
                       const std::string& authority) {
  make_private_folder(folder);
  write_private(folder, kAuthorityFile, authority);
  write_private(folder, kKeyFile, own.key);
  write_private(folder, kCertificateFile, own.certificate);
}

// Held from construction to destruction.
class Turn {
 public:
  explicit Turn(const fs::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0) fail_cert(folder, "open this folder");
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Turn() { ::close(descriptor_); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  int descriptor_;
};

KeyAndCertificate authority_of(const fs::path& folder) {
  const fs::path place = folder / kAuthorityFolder;
  struct stat about {};
  const fs::path key = place / kKeyFile;
  if (::stat(key.c_str(), &about) != 0)
    refuse_cert(key.string() + ": " + std::generic_category().message(errno),
                "certificates are made where the authority's key is");
  if (about.st_mode & (S_IRWXG | S_IRWXO))
    refuse_cert(key.string() + ": others may read this private key",
                "chmod 600 '" + key.string() + "'");
  KeyAndCertificate authority{read_file(key), read_file(place / kCertificateFile)};
  if (!belong_together(authority.key, authority.certificate))
    refuse_cert(key.string() + ": this key does not belong to " + kCertificateFile,
                "put back the two files that were made together");
  return authority;
}

bool is_revoked(const NameList& revoked, const ListedName& listed) {
  return std::any_of(revoked.names.begin(), revoked.names.end(), [&](const ListedName& one) {
    return names_certificate(one, listed.name, listed.fingerprint);
  });
}

CertificateState state_of(const NameList& revoked, const ListedName& listed, WallTime now) {
  if (is_revoked(revoked, listed)) return CertificateState::Revoked;
  const bool ends = listed.until > WallTime{};
  return ends && listed.until < now ? CertificateState::Expired : CertificateState::Allowed;
}

void require_node_name(const std::string& name) {
  if (!is_wire_name(name))
    refuse_cert("'" + name + "' cannot be the name of a node",
                "use 1 to 64 of the letters A-Z a-z 0-9 . _ -");
  if (name == kOrchestratorName)
    refuse_cert("'" + name + "' is the orchestrator's own name", "use another one");
}

}  // namespace

CertificateFolder CertificateFolder::create(const fs::path& folder, Validity validity) {
  std::error_code failure;
  fs::create_directories(folder.parent_path(), failure);
  make_private_folder(folder);
  const Turn turn(folder);
  const fs::path ca = folder / kAuthorityFolder;
  if (fs::exists(ca / kCertificateFile))
    refuse_cert(folder.string() + ": there is an authority already",
                "use it, or choose another folder with --folder");
  const KeyAndCertificate authority = make_authority(kAuthorityName, validity);
  make_private_folder(ca);
  make_private_folder(folder / kNodesFolder);
  write_credentials(
      folder / kOrchestratorFolder,
      make_signed(kOrchestratorName, CertificateUse::Orchestrator, validity, authority),
      authority.certificate);
  write_private(folder, kAllowedFile, "");
  write_private(folder, kRevokedFile, "");
  write_private(ca, kKeyFile, authority.key);
  write_private(ca, kCertificateFile, authority.certificate);
  return {folder, Known{}};
}

CertificateFolder::CertificateFolder(fs::path folder) : path_(std::move(folder)) {
  if (!fs::exists(path_ / kAllowedFile))
    refuse_cert(path_.string() + ": no certificates here",
                "make them with 'espalier cert init', or name the folder that they are in");
}

fs::path CertificateFolder::orchestrator_files() const { return path_ / kOrchestratorFolder; }

fs::path CertificateFolder::node_files(const std::string& name) const {
  require_node_name(name);
  return path_ / kNodesFolder / name;
}

fs::path CertificateFolder::issue(const std::string& name, Validity validity) {
  const fs::path files = node_files(name);
  const Turn turn(path_);
  const std::string allowed = read_file(path_ / kAllowedFile);
  const NameList revoked = parse_names(read_file(path_ / kRevokedFile));
  for (const ListedName& listed : parse_names(allowed).names) {
    if (listed.name == name &&
        state_of(revoked, listed, validity.from) == CertificateState::Allowed)
      refuse_cert("there is a certificate for '" + name + "' already",
                  "'espalier cert revoke " + name + "' takes it back");
  }
  const KeyAndCertificate authority = authority_of(path_);
  const KeyAndCertificate own = make_signed(name, CertificateUse::Node, validity, authority);
  const CertificateFacts facts = facts_of(own.certificate);
  write_credentials(files, own, authority.certificate);
  write_private(path_, kAllowedFile, allowed + line_of({name, facts.fingerprint, facts.until}));
  return files;
}

void CertificateFolder::revoke(const std::string& name) {
  require_node_name(name);
  const Turn turn(path_);
  std::string text = read_file(path_ / kRevokedFile);
  const NameList revoked = parse_names(text);
  int count = 0;
  for (const ListedName& listed : parse_names(read_file(path_ / kAllowedFile)).names) {
    if (listed.name != name || is_revoked(revoked, listed)) continue;
    text += line_of(listed);
    ++count;
  }
  if (count == 0)
    refuse_cert("no certificate for '" + name + "' is in force",
                "'espalier cert list' names those that are");
  write_private(path_, kRevokedFile, text);
}

std::vector<NodeCertificate> CertificateFolder::list(WallTime now) const {
  const NameList revoked = parse_names(read_file(path_ / kRevokedFile));
  std::vector<NodeCertificate> all;
  for (const ListedName& listed : parse_names(read_file(path_ / kAllowedFile)).names) {
    all.push_back({listed.name, listed.fingerprint, listed.until, state_of(revoked, listed, now)});
  }
  std::stable_sort(all.begin(), all.end(), [](const NodeCertificate& a, const NodeCertificate& b) {
    return a.name < b.name;
  });
  return all;
}

}  // namespace espalier
