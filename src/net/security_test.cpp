// SPDX-License-Identifier: Apache-2.0
// Who is refused, and that nothing comes of what they try: over real gRPC and real TLS.
#include <fstream>
#include <future>
#include <thread>

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include "fakes/orchestrator_site.h"
#include "messages/codec.h"
#include "net/bytes.h"
#include "net/methods.h"
#include "net/talk.h"
#include "support/messages.h"
#include "wire/digest.h"

namespace espalier {
namespace {

using std::chrono::milliseconds;

Hello hello_from(const std::string& incarnation) {
  Hello hello = sample_hello();
  hello.incarnation = incarnation;
  return hello;
}

// The code of what `act` throws.
template <class Act>
ErrorCode refusal(Act&& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::Bug;
}

class SecurityTest : public testing::Test {
 protected:
  // Says whatever it likes, under the name `name`.
  std::unique_ptr<Talk> stranger(const char* method, const std::string& name = "n1") {
    const Credentials own = site_.credentials_of(name);
    grpc::ChannelArguments arguments;
    arguments.SetSslTargetNameOverride(kOrchestratorName);
    stub_.emplace(grpc::CreateCustomChannel(
        site_.server->address(), grpc::SslCredentials({own.authority, own.key, own.certificate}),
        arguments));
    return std::make_unique<Talk>(*stub_, std::make_unique<grpc::ClientContext>(), method,
                                  TalkTimes{milliseconds(5000), milliseconds(5000)},
                                  std::stop_token());
  }

  // What comes of saying these bytes.
  ErrorCode said(const char* method, const std::string& bytes) {
    return refusal([&] {
      const auto talk = stranger(method);
      talk->send(to_buffer(bytes));
      talk->end_sending();
      while (talk->receive()) {
      }
      talk->finish();
    });
  }

  bool has_notice(const std::string& part) const {
    const auto all = site_.notices();
    return std::any_of(all.begin(), all.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    });
  }

  OrchestratorSite site_;
  std::optional<grpc::GenericStub> stub_;
};

TEST_F(SecurityTest, WithoutACertificateNobodyGetsIn) {
  grpc::ChannelArguments arguments;
  arguments.SetSslTargetNameOverride(kOrchestratorName);
  const std::string authority = site_.credentials_of("n1").authority;
  grpc::GenericStub stub(grpc::CreateCustomChannel(
      site_.server->address(), grpc::SslCredentials({authority, "", ""}), arguments));
  EXPECT_THROW(
      {
        Talk talk(stub, std::make_unique<grpc::ClientContext>(), kEnrolMethod,
                  {milliseconds(5000), milliseconds(5000)}, {});
        talk.send(to_buffer(encode(hello_from("a"))));
        talk.receive();
        talk.finish();
      },
      Error);
  EXPECT_TRUE(has_notice("refused a connection: peer did not return a certificate"));
}

TEST_F(SecurityTest, PlainTextIsNotUnderstood) {
  GrpcLink link({.address = site_.server->address(),
                 .credentials = {},
                 .plain_name = "n1",
                 .patience = milliseconds(2000)});
  EXPECT_EQ(refusal([&] { link.enrol(hello_from("a"), {}); }), ErrorCode::RunFailed);
}

TEST_F(SecurityTest, ACertificateOfAnotherAuthorityIsRefused) {
  auto other = CertificateFolder::create(site_.folder / "other", for_a_day());
  LinkOptions options = site_.link_options("n1");
  options.credentials = load_credentials(other.issue("n1", for_a_day()));
  options.patience = milliseconds(3000);
  GrpcLink distrusts(options);
  EXPECT_EQ(refusal([&] { distrusts.enrol(hello_from("a"), {}); }), ErrorCode::NotAllowed);
  // One that trusts our authority, and has a certificate of the other one.
  options.credentials->authority = site_.credentials_of("n1").authority;
  GrpcLink intruder(options);
  EXPECT_THROW(intruder.enrol(hello_from("a"), {}), Error);
}

TEST_F(SecurityTest, AnExpiredCertificateIsRefused) {
  const auto now = std::chrono::system_clock::now();
  const Validity over{now - std::chrono::hours(2), now - std::chrono::hours(1)};
  const CredentialFiles files = credential_files_in(site_.certificates.issue("old", over));
  LinkOptions options = site_.link_options("n1");
  options.credentials = load_credentials(files, now - std::chrono::minutes(90));
  options.patience = milliseconds(3000);
  GrpcLink link(options);
  EXPECT_THROW(link.enrol(hello_from("a"), {}), Error);
}

TEST_F(SecurityTest, ANameThatIsNotOnTheListIsRefused) {
  const LinkOptions options = site_.link_options("n1");
  std::ofstream(site_.certificates.path() / kAllowedFile) << "";
  GrpcLink link(options);
  EXPECT_EQ(refusal([&] { link.enrol(hello_from("a"), {}); }), ErrorCode::NotAllowed);
  EXPECT_TRUE(has_notice("refused n1"));
}

TEST_F(SecurityTest, ANodeCannotPlayTheOrchestrator) {
  // A server with a node's certificate, signed by the right authority.
  auto fake = CertificateFolder::create(site_.folder / "fake", for_a_day());
  const LinkOptions options = site_.link_options("n1");
  const Credentials thief = site_.credentials_of("n2");
  const auto files = fake.orchestrator_files();
  std::ofstream(files / kAuthorityFile) << thief.authority;
  std::ofstream(files / kCertificateFile) << thief.certificate;
  std::ofstream(files / kKeyFile) << thief.key;
  Server server(site_.desk, {.certificates = fake.path()});
  LinkOptions misled = options;
  misled.address = server.address();
  misled.patience = milliseconds(3000);
  GrpcLink link(misled);
  EXPECT_EQ(refusal([&] { link.enrol(hello_from("a"), {}); }), ErrorCode::NotAllowed);
}

TEST_F(SecurityTest, RevokingEndsAnOpenConnectionAtOnce) {
  GrpcLink link(site_.link_options("n1"));
  link.enrol(hello_from("a"), {});
  auto pulled = std::async([&] { return link.pull(milliseconds(25'000), {}); });
  while (site_.desk.pulls == 0) std::this_thread::yield();
  site_.certificates.revoke("n1");
  EXPECT_EQ(refusal([&] { pulled.get(); }), ErrorCode::NotAllowed);
  EXPECT_EQ(refusal([&] { link.heartbeat({}, {}); }), ErrorCode::NotAllowed);
  EXPECT_EQ(refusal([&] { link.report(sample_result().result, {}); }), ErrorCode::NotAllowed);
  EXPECT_EQ(site_.desk.results(), 0U);
  EXPECT_TRUE(has_notice("revoked"));
}

TEST_F(SecurityTest, ARevokedNodeComesBackWithANewCertificate) {
  GrpcLink old(site_.link_options("n1"));
  old.enrol(hello_from("a"), {});
  site_.certificates.revoke("n1");
  site_.certificates.issue("n1", for_a_day());
  GrpcLink renewed(site_.link_options("n1"));
  EXPECT_EQ(renewed.enrol(hello_from("b"), {}).run, "run-1");
  EXPECT_EQ(refusal([&] { old.heartbeat({}, {}); }), ErrorCode::NotAllowed);
}

TEST_F(SecurityTest, MalformedMessagesAreRefusedAndLogged) {
  for (const char* method : {kEnrolMethod, kHeartbeatMethod, kPullMethod, kReportMethod})
    EXPECT_EQ(said(method, "\xff\xff\xff not a message"), ErrorCode::NotAllowed) << method;
  EXPECT_EQ(site_.notices().size(), 4U);
  EXPECT_EQ(site_.desk.results(), 0U);
}

TEST_F(SecurityTest, NamesWithDotsLeadNowhere) {
  ResultMessage result = sample_result();
  result.result.task.run = "../../etc";
  EXPECT_EQ(said(kReportMethod, encode(result)), ErrorCode::NotAllowed);
  EXPECT_EQ(said(kEnrolMethod, encode(hello_from("../x"))), ErrorCode::NotAllowed);
  EXPECT_EQ(said(kPullMethod, encode(PullRequest{"..", milliseconds(0)})), ErrorCode::NotAllowed);
  EXPECT_EQ(site_.desk.results(), 0U);
}

TEST_F(SecurityTest, UnknownCallsAreRefused) {
  EXPECT_EQ(said("/espalier.v1.Orchestrator/Shutdown", ""), ErrorCode::NotAllowed);
  EXPECT_EQ(said("/grpc.health.v1.Health/Check", ""), ErrorCode::NotAllowed);
}

TEST_F(SecurityTest, OversizeObjectsAreRefusedBeforeAByteComes) {
  site_.desk.largest_update = 1000;
  const std::string bytes(1001, 'x');
  site_.folder.write("update", bytes);
  GrpcLink link(site_.link_options("n1"));
  link.enrol(hello_from("a"), {});
  EXPECT_EQ(refusal([&] { link.push(object_of(bytes), site_.folder / "update", {}); }),
            ErrorCode::NotAllowed);
  EXPECT_TRUE(has_notice("is not expected from this node"));
  EXPECT_EQ(site_.store.received(object_of(bytes)), 0U);
}

TEST_F(SecurityTest, MessagesBeyondFourMegabytesAreRefused) {
  EXPECT_THROW(
      {
        const auto talk = stranger(kReportMethod);
        talk->send(to_buffer(std::string((4U << 20U) + 1, 'x')));
        while (talk->receive()) {
        }
        talk->finish();
      },
      Error);
  GrpcLink link(site_.link_options("n1"));
  EXPECT_EQ(link.enrol(hello_from("a"), {}).run, "run-1");
}

TEST_F(SecurityTest, AnUploadWithAWrongDigestLeavesNothing) {
  const std::string bytes = "these are not the bytes";
  const ObjectRef object{object_of("others").sha256, bytes.size()};
  site_.folder.write("update", bytes);
  GrpcLink link(site_.link_options("n1"));
  link.enrol(hello_from("a"), {});
  EXPECT_EQ(refusal([&] { link.push(object, site_.folder / "update", {}); }),
            ErrorCode::NotAllowed);
  EXPECT_TRUE(has_notice("the digest of what came is another one"));
  EXPECT_EQ(site_.store.received(object), 0U);
  EXPECT_TRUE(std::filesystem::is_empty(site_.folder / "objects"));
}

TEST_F(SecurityTest, ObjectsAreOnlyForThoseWhoMayHaveThem) {
  const ObjectRef object = site_.store.add("a network");
  site_.desk.allows_objects = false;
  GrpcLink link(site_.link_options("n1"));
  link.enrol(hello_from("a"), {});
  EXPECT_EQ(refusal([&] { link.fetch(object, site_.folder / "stolen", {}); }),
            ErrorCode::NotAllowed);
  EXPECT_TRUE(has_notice("is not for this node"));
  EXPECT_FALSE(std::filesystem::exists(site_.folder / "stolen"));
}

TEST_F(SecurityTest, OneNodeCannotTakeAllCalls) {
  std::vector<std::unique_ptr<Talk>> talks;
  talks.push_back(stranger(kReportMethod));
  for (int i = 0; i < 15; ++i)
    talks.push_back(std::make_unique<Talk>(
        *stub_, std::make_unique<grpc::ClientContext>(), kReportMethod,
        TalkTimes{milliseconds(9000), milliseconds(9000)}, std::stop_token()));
  GrpcLink more(site_.link_options("n1"));
  const auto is_sent_away = [&] {
    try {
      more.heartbeat({}, {});
    } catch (const Error& error) {
      return error.code() == ErrorCode::RunFailed;
    }
    return false;
  };
  while (!is_sent_away()) std::this_thread::yield();  // until all of them have come
  EXPECT_TRUE(has_notice("too many calls of one node"));
  GrpcLink other(site_.link_options("n2"));
  other.enrol(hello_from("b"), {});
  EXPECT_TRUE(other.heartbeat({}, {}));
}

TEST(ServerAddress, PlainTextStaysOnThisMachine) {
  const TemporaryFolder folder;
  FileObjectStore store(folder / "objects");
  FakeDesk desk(store);
  for (const char* address : {"0.0.0.0:0", "[::]:0", "192.0.2.1:0", "127.evil.example:0"}) {
    EXPECT_EQ(refusal([&] {
                Server server(desk,
                              {.address = address, .security = Security::PlainTextOnLoopback});
              }),
              ErrorCode::BadInput)
        << address;
  }
  Server server(desk, {.security = Security::PlainTextOnLoopback});
  GrpcLink link({.address = server.address(), .credentials = {}, .plain_name = "n1"});
  EXPECT_EQ(link.enrol(hello_from("a"), {}).run, "run-1");
  const ObjectRef object = store.add("a network");
  link.fetch(object, folder / "fetched", {});
  link.push(object_of("an update"), folder.write("update", "an update"), {});
  EXPECT_EQ(folder.read("fetched"), "a network");
  EXPECT_TRUE(store.has(object_of("an update")));
  GrpcLink nameless({.address = server.address(), .credentials = {}, .plain_name = ".."});
  EXPECT_EQ(refusal([&] { nameless.enrol(hello_from("a"), {}); }), ErrorCode::NotAllowed);
}

TEST(ServerAddress, OtherAddressesOfThisMachineWillDo) {
  const TemporaryFolder folder;
  FileObjectStore store(folder / "objects");
  FakeDesk desk(store);
  const ObjectRef object = store.add("a network");
  for (const char* address : {"[::1]:0", "localhost:0"}) {
    std::optional<Server> server;
    try {
      server.emplace(desk,
                     ServerOptions{.address = address, .security = Security::PlainTextOnLoopback});
    } catch (const Error&) {
      continue;  // no IPv6 here
    }
    // Without a name, which would have to be looked up.
    const std::string host = address == std::string("[::1]:0") ? "[::1]:" : "127.0.0.1:";
    GrpcLink link(
        {.address = host + std::to_string(server->port()), .credentials = {}, .plain_name = "n1"});
    link.enrol(hello_from("a"), {});
    link.fetch(object, folder / "fetched", {});
    EXPECT_EQ(folder.read("fetched"), "a network") << address;
    std::filesystem::remove(folder / "fetched");
  }
}

TEST(ServerAddress, WithoutCertificatesThereIsNoServer) {
  const TemporaryFolder folder;
  FileObjectStore store(folder / "objects");
  FakeDesk desk(store);
  EXPECT_EQ(refusal([&] { Server server(desk, {.certificates = folder / "nowhere"}); }),
            ErrorCode::BadInput);
}

TEST(ServerAddress, APortInUseIsBadInput) {
  OrchestratorSite site;
  EXPECT_EQ(refusal([&] {
              Server second(site.desk, {.address = site.server->address(),
                                        .certificates = site.certificates.path()});
            }),
            ErrorCode::BadInput);
}

}  // namespace
}  // namespace espalier
