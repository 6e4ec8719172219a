// SPDX-License-Identifier: Apache-2.0
// What strangers may try on the port and on a stream of objects, and what becomes of it: over real
// sockets and real TLS.
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sys/socket.h>
#include <thread>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "fakes/orchestrator_site.h"
#include "messages/codec.h"
#include "net/addresses.h"
#include "net/line.h"
#include "net/stream_messages.h"
#include "support/sockets.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kServerPatience{600};

// Says whatever it likes.
class Stranger {
 public:
  explicit Stranger(const OrchestratorSite& site) : Stranger(site.server->address()) {}
  explicit Stranger(const std::string& address) : line_(connect_to("ipv4:" + address)) {
    set_up_stream(line_.socket());
    wait(POLLOUT);
  }
  // With the preamble and TLS.
  Stranger(const OrchestratorSite& site, const Credentials& own) : Stranger(site) {
    say(kStreamPreamble);
    secure(own);
  }

  bool secure(const Credentials& own) {
    tls_.emplace(own, TlsSide::Node);
    line_.secure(*tls_);
    while (!line_.shake_hands() && !line_.failure()) wait(line_.waits_for());
    return !line_.failure();
  }
  // As much as goes within some time.
  std::size_t say(std::string_view bytes) {
    const std::size_t all = bytes.size();
    while (!bytes.empty() && !line_.failure()) {
      const std::size_t sent = line_.send(bytes);
      bytes.remove_prefix(sent);
      if (sent == 0 && !line_.failure() && !wait(POLLOUT)) break;
    }
    return all - bytes.size();
  }
  void ask(const StreamRequest& request) { say(framed(encode(request))); }
  // Nothing where the connection ended.
  std::optional<StreamAnswer> hear() {
    while (!line_.failure()) {
      if (const auto message = inbox_.message(line_)) return decode_answer(*message);
      if (!line_.failure() && !wait(POLLIN)) break;
    }
    return {};
  }
  // Whether it was closed by the other side, after whatever came.
  bool is_closed() {
    std::string room(65'536, '\0');
    while (!line_.failure())
      if (line_.receive(room) == 0 && !line_.failure() && !wait(POLLIN)) return false;
    return true;
  }
  const std::optional<Error>& failure() const { return line_.failure(); }
  int socket() const { return line_.socket(); }

 private:
  bool wait(short events) const { return comes(line_.socket(), events); }

  std::optional<Tls> tls_;
  Line line_;
  Inbox inbox_;
};

// Speaks TLS after the preamble, its own way. It blocks.
class ForeignClient {
 public:
  explicit ForeignClient(const std::string& address) : socket_(connect_to("ipv4:" + address)) {
    EXPECT_TRUE(comes(socket_.value(), POLLOUT));
    ::fcntl(socket_.value(), F_SETFL, 0);
    ::send(socket_.value(), kStreamPreamble.data(), kStreamPreamble.size(), MSG_NOSIGNAL);
    SSL_set_fd(session_.get(), socket_.value());
  }

  void introduce(const CredentialFiles& own) {
    SSL_use_certificate_file(session_.get(), own.certificate.c_str(), SSL_FILETYPE_PEM);
    SSL_use_PrivateKey_file(session_.get(), own.key.c_str(), SSL_FILETYPE_PEM);
  }
  // With its length before it; empty for none.
  void name_protocol(const std::string& name) {
    SSL_set_alpn_protos(session_.get(), reinterpret_cast<const unsigned char*>(name.data()),
                        static_cast<unsigned>(name.size()));
  }
  // Its own side may be content where the other one is not.
  void shake_hands() { SSL_connect(session_.get()); }
  bool is_closed() {
    char byte = 0;
    return SSL_read(session_.get(), &byte, 1) <= 0;
  }

 private:
  Descriptor socket_;
  std::unique_ptr<ssl_ctx_st, FreeTls> context_{SSL_CTX_new(TLS_client_method())};
  TlsSession session_{SSL_new(context_.get())};
};

StreamRequest wanted(const ObjectRef& object, std::uint64_t offset = 0) {
  return {WantedObject{"a", object, offset}, ""};
}
StreamRequest offered(const ObjectRef& object) { return {OfferedObject{"a", object}, ""}; }

// After how much has come, any number of times.
bool hears_that_it_is_safe(Stranger& node) {
  while (const auto answer = node.hear()) {
    const auto* progress = std::get_if<Progress>(&*answer);
    if (progress == nullptr || progress->is_safe) return progress != nullptr;
  }
  return false;
}

class StreamTest : public testing::Test {
 protected:
  explicit StreamTest(milliseconds patience = kServerPatience)
      : site_(ServerOptions{.patience = patience}) {}

  bool has_notice(const std::string& part) const {
    for (const auto begin = Clock::now(); Clock::now() - begin < kLongEnough;
         std::this_thread::sleep_for(milliseconds(5)))
      for (const std::string& line : site_.notices())
        if (line.find(part) != std::string::npos) return true;
    return false;
  }

  // That all of it still works, for somebody else, and soon.
  void expect_service() {
    const auto begin = Clock::now();
    LinkOptions options = site_.link_options("other");
    options.patience = kLongEnough;
    GrpcLink link(options);
    Hello hello;
    hello.incarnation = "b";
    link.enrol(hello, {});
    const std::string bytes(300'000, 'y');
    link.push(object_of(bytes), site_.folder.write("service", bytes), {});
    link.fetch(object_of(bytes), site_.folder / "served", {});
    EXPECT_EQ(site_.folder.read("served"), bytes);
    EXPECT_LT(Clock::now() - begin, kLongEnough);
    std::filesystem::remove(site_.folder / "served");
  }

  OrchestratorSite site_;
  const std::string bytes_ = std::string().append(16'000'000, 'x');
  const ObjectRef object_ = object_of(bytes_);
};

// Where nothing ends by itself in time.
class PatientStreamTest : public StreamTest {
 protected:
  PatientStreamTest() : StreamTest(10 * kLongEnough) {}
};

TEST_F(StreamTest, SilentConnectionsHoldNobodyUpAndAreClosed) {
  std::vector<std::unique_ptr<Stranger>> silent;
  silent.reserve(50);
  for (int i = 0; i < 50; ++i) silent.push_back(std::make_unique<Stranger>(site_));
  Stranger halfway(site_);
  halfway.say(kStreamPreamble.substr(0, 3));
  Stranger without_tls(site_);
  without_tls.say(kStreamPreamble);
  expect_service();
  for (const auto& one : silent) EXPECT_TRUE(one->is_closed());
  EXPECT_TRUE(halfway.is_closed());
  EXPECT_TRUE(without_tls.is_closed());
}

TEST_F(StreamTest, WhatIsNeitherACallNorAStreamIsClosed) {
  Stranger lost(site_);
  lost.say("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(lost.is_closed());
  EXPECT_TRUE(has_notice("neither a call nor a stream of objects"));
  expect_service();
}

TEST_F(StreamTest, AWrongPreambleIsRefused) {
  Stranger wrong(site_);
  wrong.say("objects9");
  EXPECT_TRUE(wrong.is_closed());
  EXPECT_TRUE(has_notice("not a stream of objects"));
  expect_service();
}

TEST_F(StreamTest, GarbageInsteadOfAHandshakeIsRefused) {
  Stranger garbage(site_);
  garbage.say(kStreamPreamble);
  garbage.say(std::string(1000, '\x5a'));
  EXPECT_TRUE(garbage.is_closed());
  EXPECT_TRUE(has_notice("refused a connection"));
  expect_service();
}

TEST_F(StreamTest, WithoutACertificateNobodyGetsIn) {
  ForeignClient anonymous(site_.server->address());
  anonymous.shake_hands();
  EXPECT_TRUE(anonymous.is_closed());
  EXPECT_TRUE(has_notice("refused a connection: peer did not return a certificate"));
  expect_service();
}

TEST_F(StreamTest, ACertificateOfAnotherAuthorityIsRefused) {
  auto other = CertificateFolder::create(site_.folder / "other", for_a_day());
  Credentials own = load_credentials(other.issue("n1", for_a_day()));
  Stranger distrusts(site_);
  distrusts.say(kStreamPreamble);
  EXPECT_FALSE(distrusts.secure(own));
  EXPECT_EQ(distrusts.failure()->code(), ErrorCode::NotAllowed);
  own.authority = site_.credentials_of("n1").authority;
  Stranger intruder(site_, own);
  intruder.ask(wanted(site_.store.add("a network")));
  EXPECT_FALSE(intruder.hear());
  EXPECT_TRUE(has_notice("refused a connection"));
  expect_service();
}

TEST_F(StreamTest, WhatIsMeantForSomethingElseIsRefused) {
  // Somebody between the two has put the preamble before a connection of another kind.
  const std::filesystem::path files = site_.certificates.issue("n1", for_a_day());
  for (const std::string protocol : {"", "\x02h2"}) {
    ForeignClient call(site_.server->address());
    call.introduce(credential_files_in(files));
    call.name_protocol(protocol);
    call.shake_hands();
    EXPECT_TRUE(call.is_closed());
  }
  EXPECT_TRUE(has_notice("means no stream of objects"));
  EXPECT_TRUE(has_notice("no application protocol"));
  expect_service();
}

TEST_F(StreamTest, ANodeCannotPlayTheOrchestrator) {
  // A server with a node's certificate, signed by the right authority.
  auto fake = CertificateFolder::create(site_.folder / "fake", for_a_day());
  const Credentials thief = site_.credentials_of("n2");
  const auto files = fake.orchestrator_files();
  std::ofstream(files / kAuthorityFile) << thief.authority;
  std::ofstream(files / kCertificateFile) << thief.certificate;
  std::ofstream(files / kKeyFile) << thief.key;
  const Server server(site_.desk, {.certificates = fake.path()});
  Stranger misled(server.address());
  misled.say(kStreamPreamble);
  EXPECT_FALSE(misled.secure(site_.credentials_of("n1")));
  EXPECT_EQ(misled.failure()->code(), ErrorCode::NotAllowed);
}

TEST_F(StreamTest, ANameThatIsNotOnTheListIsToldSo) {
  const Credentials own = site_.credentials_of("n1");
  const ObjectRef object = site_.store.add("a network");
  site_.certificates.revoke("n1");
  Stranger revoked(site_, own);
  revoked.ask(wanted(object));
  const auto answer = revoked.hear();
  ASSERT_TRUE(answer && std::holds_alternative<Refusal>(*answer));
  EXPECT_FALSE(std::get<Refusal>(*answer).is_temporary);
  EXPECT_TRUE(revoked.is_closed());
  EXPECT_TRUE(has_notice("revoked"));
}

TEST_F(StreamTest, GarbageAfterTheHandshakeIsRefused) {
  const Credentials own = site_.credentials_of("n1");
  const std::string none_such = framed("\xff\xff\xff no message");
  for (const std::string& bytes : {none_such, std::string(5000, '\xff'), std::string(2, '\0')}) {
    Stranger garbage(site_, own);
    garbage.say(bytes);
    const auto answer = garbage.hear();
    ASSERT_TRUE(answer && std::holds_alternative<Refusal>(*answer));
    EXPECT_FALSE(std::get<Refusal>(*answer).is_temporary);
    EXPECT_TRUE(garbage.is_closed());
  }
  EXPECT_TRUE(has_notice("refused n1"));
  expect_service();
}

TEST_F(StreamTest, AMistakeOfTheOrchestratorIsNoRefusalForGood) {
  Stranger node(site_, site_.credentials_of("n1"));
  site_.desk.is_out_of_memory = true;
  node.ask(wanted(site_.store.add("a network")));
  const auto answer = node.hear();
  ASSERT_TRUE(answer && std::holds_alternative<Refusal>(*answer));
  EXPECT_TRUE(std::get<Refusal>(*answer).is_temporary);
}

TEST_F(PatientStreamTest, MoreBytesThanAnnouncedAreNoPartOfTheObject) {
  Stranger generous(site_, site_.credentials_of("n1"));
  generous.ask(offered(object_of("short")));
  ASSERT_TRUE(generous.hear());
  generous.say("short and much longer than that");
  const auto safe = generous.hear();
  ASSERT_TRUE(safe && std::holds_alternative<Progress>(*safe));
  EXPECT_TRUE(std::get<Progress>(*safe).is_safe);
  const auto refusal = generous.hear();
  ASSERT_TRUE(refusal && std::holds_alternative<Refusal>(*refusal));
  EXPECT_EQ(site_.store.read(object_of("short"), 0, 100), "short");
}

TEST_F(PatientStreamTest, OneNodeCannotTakeAllStreams) {
  const Credentials own = site_.credentials_of("n1");
  const ObjectRef object = site_.store.add("a network");
  std::vector<std::unique_ptr<Stranger>> streams;
  for (int i = 0; i < 16; ++i) {
    streams.push_back(std::make_unique<Stranger>(site_, own));
    streams.back()->ask(offered(object_of(std::to_string(i))));
    ASSERT_TRUE(streams.back()->hear());
  }
  Stranger more(site_, own);
  more.ask(wanted(object));
  const auto answer = more.hear();
  ASSERT_TRUE(answer && std::holds_alternative<Refusal>(*answer));
  EXPECT_TRUE(std::get<Refusal>(*answer).is_temporary);
  expect_service();
}

TEST_F(PatientStreamTest, RevokingEndsAnUploadInItsMiddle) {
  Stranger node(site_, site_.credentials_of("n1"));
  node.ask(offered(object_));
  ASSERT_TRUE(node.hear());
  node.say(std::string_view(bytes_).substr(0, 300'000));
  ASSERT_TRUE(node.hear());
  site_.certificates.revoke("n1");
  node.say(std::string_view(bytes_).substr(300'000, 1'000'000));
  std::optional<StreamAnswer> last;
  while (auto answer = node.hear()) last = answer;
  ASSERT_TRUE(last && std::holds_alternative<Refusal>(*last));
  EXPECT_FALSE(std::get<Refusal>(*last).is_temporary);
  EXPECT_LE(site_.store.received(object_), 300'000U);
  EXPECT_TRUE(has_notice("revoked"));
}

TEST_F(PatientStreamTest, RevokingEndsAnUploadThatSaysNothing) {
  Stranger node(site_, site_.credentials_of("n1"));
  node.ask(offered(object_));
  ASSERT_TRUE(node.hear());
  site_.certificates.revoke("n1");
  const auto answer = node.hear();
  ASSERT_TRUE(answer && std::holds_alternative<Refusal>(*answer));
  EXPECT_NE(std::get<Refusal>(*answer).reason.find("revoked"), std::string::npos);
}

TEST_F(PatientStreamTest, RevokingEndsADownloadThatNobodyReads) {
  site_.store.add(bytes_);
  Stranger node(site_, site_.credentials_of("n1"));
  node.ask(wanted(object_));
  ASSERT_TRUE(node.hear());
  site_.certificates.revoke("n1");
  EXPECT_TRUE(has_notice("revoked"));
  EXPECT_TRUE(node.is_closed());
}

TEST_F(StreamTest, WhoFreezesInADownloadIsGivenUp) {
  site_.store.add(bytes_);
  Stranger frozen(site_, site_.credentials_of("n1"));
  frozen.ask(wanted(object_));
  ASSERT_TRUE(frozen.hear());
  expect_service();
  std::this_thread::sleep_for(3 * kServerPatience);
  EXPECT_TRUE(frozen.is_closed());
}

TEST_F(StreamTest, WhoFreezesInAnUploadIsGivenUpAndCanGoOn) {
  const Credentials own = site_.credentials_of("n1");
  {
    Stranger frozen(site_, own);
    frozen.ask(offered(object_));
    ASSERT_TRUE(frozen.hear());
    frozen.say(std::string_view(bytes_).substr(0, 1'000'000));
    expect_service();
    EXPECT_TRUE(frozen.is_closed());
  }
  EXPECT_EQ(site_.store.received(object_), 1'000'000U);
  Stranger again(site_, own);
  again.ask(offered(object_));
  const auto there = again.hear();
  ASSERT_TRUE(there && std::holds_alternative<Progress>(*there));
  EXPECT_EQ(std::get<Progress>(*there).received, 1'000'000U);
}

TEST_F(PatientStreamTest, TwoStreamsCanBringTheSameObject) {
  const Credentials own = site_.credentials_of("n1");
  const std::string bytes(600'000, 'z');
  const ObjectRef object = object_of(bytes);
  Stranger ahead(site_, own);
  Stranger behind(site_, own);
  for (Stranger* one : {&ahead, &behind}) {
    one->ask(offered(object));
    ASSERT_TRUE(one->hear());
  }
  ahead.say(std::string_view(bytes).substr(0, 300'000));
  ASSERT_TRUE(ahead.hear());
  behind.say(bytes);
  EXPECT_TRUE(hears_that_it_is_safe(behind));
  EXPECT_TRUE(site_.store.has(object));
  ahead.say(std::string_view(bytes).substr(300'000));
  EXPECT_TRUE(hears_that_it_is_safe(ahead));
}

TEST_F(PatientStreamTest, SlowNodesDoNotHoldUpQuickOnes) {
  site_.store.add(bytes_);
  std::vector<std::unique_ptr<Stranger>> slow;
  for (int i = 0; i < 40; ++i) {
    slow.push_back(
        std::make_unique<Stranger>(site_, site_.credentials_of("slow-" + std::to_string(i))));
    slow.back()->ask(wanted(object_));
    ASSERT_TRUE(slow.back()->hear());
  }
  const auto begin = Clock::now();
  for (int i = 0; i < 3; ++i) expect_service();
  EXPECT_LT(Clock::now() - begin, kLongEnough);
}

TEST_F(PatientStreamTest, AServerStopsWhileStreamsAreOpen) {
  site_.store.add(bytes_);
  const Credentials own = site_.credentials_of("n1");
  Stranger silent(site_);
  Stranger idle(site_, own);
  Stranger down(site_, own);
  down.ask(wanted(object_));
  ASSERT_TRUE(down.hear());
  Stranger up(site_, own);
  up.ask(offered(object_of("an update")));
  ASSERT_TRUE(up.hear());
  const auto begin = Clock::now();
  site_.server->stop();
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
  for (Stranger* one : {&silent, &idle, &down, &up}) EXPECT_TRUE(one->is_closed());
}

}  // namespace
}  // namespace espalier
