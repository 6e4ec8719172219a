// SPDX-License-Identifier: Apache-2.0
// Transfers over 50 ms, 2 % loss and 10 Mbit/s, between network namespaces.
#include "poor_link.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "certificates/certificate_folder.h"
#include "objects/file_object_store.h"
#include "peer.h"
#include "support/temporary_folder.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kMegabyte = 1 << 20;

class PoorLink : public testing::Test {
 protected:
  void SetUp() override {
    if (!link_.is_there())
      GTEST_SKIP() << "network namespaces need root, ip and /dev/net/tun; not available here";
    const auto validity = valid_for(std::chrono::days(1), std::chrono::system_clock::now());
    auto certificates = CertificateFolder::create(folder_ / "certificates", validity);
    files_ = certificates.issue("n1", validity).string();
    server_.emplace(
        std::vector<std::string>{"serve", PoorLinkBetweenNamespaces::server_host() + ":0",
                                 certificates.path().string(), objects()},
        link_.in_server());
    address_ = server_->line();
    ASSERT_FALSE(address_.empty());
  }

  std::string objects() const { return (folder_ / "objects").string(); }

  Peer push(const std::filesystem::path& file, const std::string& patience_ms = "20000") const {
    return Peer({"push", address_, files_, patience_ms, file.string()}, link_.in_client());
  }

  static std::string bytes_of_size(std::uint64_t size) {
    std::string bytes(size, '\0');
    std::uint64_t state = size;
    for (char& c : bytes) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      c = static_cast<char>(state >> 56);
    }
    return bytes;
  }

  // While the server is at work on it.
  std::uint64_t received(const ObjectRef& object) const {
    return FileObjectStore(objects()).received(object);
  }

  const TemporaryFolder folder_;
  PoorLinkBetweenNamespaces link_;
  std::string files_;
  std::optional<Peer> server_;
  std::string address_;
};

TEST_F(PoorLink, TransfersComplete) {
  const std::string bytes = bytes_of_size(2 * kMegabyte);
  Peer up = push(folder_.write("update", bytes));
  EXPECT_EQ(up.line(), "safe");
  const ObjectRef object = object_of(bytes);
  EXPECT_TRUE(FileObjectStore(objects()).has(object));
  const std::string copy = (folder_ / "copy").string();
  Peer down({"fetch", address_, files_, "20000", object.sha256, std::to_string(object.size), copy},
            link_.in_client());
  EXPECT_EQ(down.line(), "safe");
  EXPECT_EQ(folder_.read("copy"), bytes);
  EXPECT_GT(link_.lost(), 20U);
}

TEST_F(PoorLink, AnUploadGoesOnWhereTheLinkWasCut) {
  constexpr std::uint64_t kSize = 4 * kMegabyte;
  const std::string bytes = bytes_of_size(kSize);
  const auto file = folder_.write("update", bytes);
  const ObjectRef object = object_of(bytes);
  const std::uint64_t before = link_.sent();
  std::uint64_t there = 0;
  {
    Peer cut_off = push(file, "3000");
    while ((there = received(object)) < 2 * kMegabyte)
      std::this_thread::sleep_for(milliseconds(20));
    link_.cut();
    EXPECT_NE(cut_off.line(), "safe");
    EXPECT_EQ(cut_off.wait(), 1);
  }
  link_.mend();
  EXPECT_LT(received(object), kSize);
  Peer again = push(file);
  EXPECT_EQ(again.line(), "safe");
  EXPECT_TRUE(FileObjectStore(objects()).has(object));
  // A chunk at most, and what TCP sends again by itself where packets are lost.
  EXPECT_LE(link_.sent() - before, kSize + kMegabyte + kSize / 5);
}

}  // namespace
}  // namespace espalier
