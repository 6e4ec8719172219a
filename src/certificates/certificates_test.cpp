// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "certificates/allow_list.h"
#include "certificates/certificate_folder.h"
#include "certificates/credentials.h"
#include "certificates/temporary_certificates.h"
#include "core/error.h"
#include "support/temporary_folder.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

const WallTime kNow = std::chrono::system_clock::now();
const Validity kDay = valid_for(std::chrono::days(1), kNow);
const Validity kYesterday{kNow - std::chrono::hours(48), kNow - std::chrono::hours(24)};

// What people are told; fails the test if they are told nothing.
template <class Act>
std::string told_by(Act&& act) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput) << error.what();
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

mode_t mode_of(const fs::path& path) {
  struct stat about {};
  ::stat(path.c_str(), &about);
  return about.st_mode & 0777;
}

class CertificatesTest : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  CertificateFolder certificates_ = CertificateFolder::create(folder_ / "certificates", kDay);
};

TEST_F(CertificatesTest, OrchestratorAndNodesCanUseTheirFiles) {
  const Credentials orchestrator = load_credentials(certificates_.orchestrator_files());
  EXPECT_EQ(orchestrator.name, kOrchestratorName);
  const Credentials node = load_credentials(certificates_.issue("gold-1", kDay));
  EXPECT_EQ(node.name, "gold-1");
  EXPECT_EQ(node.authority, orchestrator.authority);
}

TEST_F(CertificatesTest, KeysAreForTheirOwnerAlone) {
  const fs::path node = certificates_.issue("gold-1", kDay);
  for (const fs::path& folder :
       {certificates_.path() / "ca", certificates_.orchestrator_files(), node}) {
    EXPECT_EQ(mode_of(folder / kKeyFile), 0600U) << folder;
    EXPECT_EQ(mode_of(folder), 0700U) << folder;
  }
}

TEST_F(CertificatesTest, RefusesAKeyThatOthersMayRead) {
  const fs::path node = certificates_.issue("gold-1", kDay);
  ::chmod((node / kKeyFile).c_str(), 0644);
  EXPECT_TRUE(contains(told_by([&] { load_credentials(node); }), "others may read"));
  ::chmod((certificates_.path() / "ca" / kKeyFile).c_str(), 0640);
  EXPECT_TRUE(contains(told_by([&] { certificates_.issue("gold-2", kDay); }), "others may read"));
}

TEST_F(CertificatesTest, RefusesAKeyOfAnotherCertificate) {
  const fs::path one = certificates_.issue("gold-1", kDay);
  const fs::path two = certificates_.issue("gold-2", kDay);
  fs::copy_file(two / kKeyFile, one / kKeyFile, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(told_by([&] { load_credentials(one); }), "does not belong"));
}

TEST_F(CertificatesTest, RefusesACertificateOfAnotherAuthority) {
  auto other = CertificateFolder::create(folder_ / "other", kDay);
  const fs::path node = certificates_.issue("gold-1", kDay);
  const fs::path stranger = other.issue("gold-1", kDay);
  fs::copy_file(stranger / kAuthorityFile, node / kAuthorityFile,
                fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(told_by([&] { load_credentials(node); }), "not signed by"));
}

TEST_F(CertificatesTest, RefusesWhatHasExpiredOrIsNotValidYet) {
  const fs::path old = certificates_.issue("old", kYesterday);
  EXPECT_TRUE(contains(told_by([&] { load_credentials(old); }), "has expired"));
  const WallTime before = kYesterday.from - std::chrono::hours(1);
  EXPECT_TRUE(contains(told_by([&] { load_credentials(credential_files_in(old), before); }),
                       "not valid yet"));
}

TEST_F(CertificatesTest, RefusesFilesThatAreSomethingElse) {
  const fs::path node = certificates_.issue("gold-1", kDay);
  for (const char* name : {kAuthorityFile, kCertificateFile, kKeyFile}) {
    const fs::path copy = folder_ / (std::string("copy-") + name);
    fs::copy(node, copy);
    std::ofstream(copy / name) << "no certificate";
    told_by([&] { load_credentials(copy); });
    fs::remove(copy / name);
    EXPECT_TRUE(contains(told_by([&] { load_credentials(copy); }), "No such file"));
    fs::create_directory(copy / name);
    told_by([&] { load_credentials(copy); });
  }
}

TEST_F(CertificatesTest, RefusesNamesThatAreNone) {
  for (const char* name : {"", "..", "../x", "a b", "a/b", kOrchestratorName})
    told_by([&] { certificates_.issue(name, kDay); });
}

TEST_F(CertificatesTest, OneCertificatePerName) {
  certificates_.issue("gold-1", kDay);
  EXPECT_TRUE(contains(told_by([&] { certificates_.issue("gold-1", kDay); }), "already"));
  certificates_.revoke("gold-1");
  certificates_.issue("gold-1", kDay);
  const auto all = certificates_.list(kNow);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].state, CertificateState::Revoked);
  EXPECT_EQ(all[1].state, CertificateState::Allowed);
  EXPECT_NE(all[0].fingerprint, all[1].fingerprint);
}

TEST_F(CertificatesTest, AnExpiredOneMayBeMadeAnew) {
  certificates_.issue("gold-1", kYesterday);
  EXPECT_EQ(certificates_.list(kNow)[0].state, CertificateState::Expired);
  certificates_.issue("gold-1", kDay);
  EXPECT_EQ(load_credentials(certificates_.node_files("gold-1")).name, "gold-1");
}

TEST_F(CertificatesTest, AFolderHasOneAuthority) {
  told_by([&] { CertificateFolder::create(folder_ / "certificates", kDay); });
  told_by([&] { CertificateFolder(folder_ / "nowhere"); });
  told_by([&] { certificates_.revoke("nobody"); });
}

TEST_F(CertificatesTest, TheAllowListFollowsItsFiles) {
  const fs::path node = certificates_.issue("gold-1", kDay);
  const std::string fingerprint = facts_of(load_credentials(node).certificate).fingerprint;
  AllowList list(certificates_.path());
  EXPECT_TRUE(list.allows("gold-1", fingerprint));
  EXPECT_FALSE(list.allows("gold-2", fingerprint));
  EXPECT_FALSE(list.allows("gold-1", std::string(64, 'a')));
  const auto before = list.version();
  certificates_.revoke("gold-1");
  EXPECT_FALSE(list.allows("gold-1", fingerprint));
  EXPECT_NE(list.version(), before);
}

TEST_F(CertificatesTest, NobodyIsAllowedByListsThatCannotBeRead) {
  const fs::path node = certificates_.issue("gold-1", kDay);
  const std::string fingerprint = facts_of(load_credentials(node).certificate).fingerprint;
  AllowList list(certificates_.path());
  ASSERT_TRUE(list.allows("gold-1", fingerprint));
  std::ofstream(certificates_.path() / kRevokedFile) << "!!! \n";
  EXPECT_FALSE(list.allows("gold-1", fingerprint));
  std::ofstream(certificates_.path() / kRevokedFile) << "# nobody so far\n\n";
  EXPECT_TRUE(list.allows("gold-1", fingerprint));
  fs::remove(certificates_.path() / kAllowedFile);
  EXPECT_FALSE(list.allows("gold-1", fingerprint));
}

TEST_F(CertificatesTest, PeopleMayWriteNamesAlone) {
  AllowList list(certificates_.path());
  std::ofstream(certificates_.path() / kAllowedFile) << "gold-1\ngold-2\n";
  EXPECT_TRUE(list.allows("gold-1", std::string(64, 'a')));
  std::ofstream(certificates_.path() / kRevokedFile) << "gold-1\n";
  EXPECT_FALSE(list.allows("gold-1", std::string(64, 'a')));
  EXPECT_TRUE(list.allows("gold-2", std::string(64, 'b')));
}

TEST(TemporaryCertificates, AreGoneInTheEnd) {
  const TemporaryFolder folder;
  {
    TemporaryCertificates certificates(folder.path());
    EXPECT_EQ(load_credentials(certificates.issue("gold-1")).name, "gold-1");
    EXPECT_FALSE(fs::is_empty(folder.path()));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(TemporaryCertificates, OfOneThatWasKilledCanBeRemoved) {
  const TemporaryFolder folder;
  folder.write("certificates-a1B2c3/ca/key.pem", "secret");
  folder.write("gold-1.log", "stays");
  TemporaryCertificates::remove_left_behind(folder.path());
  EXPECT_FALSE(fs::exists(folder / "certificates-a1B2c3"));
  EXPECT_TRUE(fs::exists(folder / "gold-1.log"));
}

TEST(NameLists, LinesThatPeopleWroteAreReadWhenTheyWereWrittenAgain) {
  const NameList list = parse_names("gold-1\n");
  ASSERT_EQ(list.names.size(), 1U);
  EXPECT_EQ(line_of(list.names[0]), "gold-1\n");
}

TEST(NameLists, TimesBeyondAllClocksAreTheLast) {
  const std::string line = "gold-1 " + std::string(64, 'a') + " 253402300799\n";  // the year 9999
  ASSERT_EQ(parse_names(line).names.size(), 1U);
  EXPECT_GT(parse_names(line).names[0].until, kNow);
}

}  // namespace
}  // namespace espalier
