// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <sys/stat.h>

#include "program.h"

namespace espalier {
namespace {

class CertCommand : public ProgramTest {
 protected:
  nlohmann::json data_of(const std::string& arguments) const {
    const Told told = run(arguments + " --format json");
    EXPECT_EQ(told.exit_code, 0) << told.err;
    return told.document()["data"];
  }
};

TEST_F(CertCommand, FromNothingToARevokedCertificate) {
  EXPECT_EQ(data_of("cert init")["files"], "certificates");
  EXPECT_EQ(data_of("cert node gold-1")["files"], "certificates/nodes/gold-1");
  for (const char* file : {"ca.pem", "certificate.pem", "key.pem"})
    EXPECT_TRUE(exists(std::string("certificates/nodes/gold-1/") + file));
  auto listed = data_of("cert list")["certificates"];
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0]["name"], "gold-1");
  EXPECT_EQ(listed[0]["state"], "allowed");
  data_of("cert revoke gold-1");
  listed = data_of("cert list")["certificates"];
  EXPECT_EQ(listed[0]["state"], "revoked");
}

TEST_F(CertCommand, TellsPeopleWhatToDoNext) {
  const Told init = run("cert init --folder 'my certificates'");
  EXPECT_TRUE(contains(init.out, "espalier cert node NAME --folder 'my certificates'")) << init.out;
  const Told node = run("cert node gold-1 --folder 'my certificates' --days 1");
  EXPECT_TRUE(contains(node.out, "espalier node --orchestrator")) << node.out;
  EXPECT_TRUE(contains(run("cert list --folder 'my certificates'").out, "gold-1"));
}

TEST_F(CertCommand, BadUseIsExitCode4WithAHint) {
  run("cert init");
  run("cert node gold-1");
  for (const char* arguments :
       {"cert", "cert nod gold-1", "cert node", "cert node ../x", "cert node 'a b'",
        "cert node gold-1", "cert revoke nobody", "cert list --folder nowhere", "cert init",
        "cert node gold-2 --days 0", "cert list gold-1"}) {
    const Told told = run(arguments);
    EXPECT_EQ(told.exit_code, 4) << arguments << told.out;
    EXPECT_TRUE(contains(told.err, "error: ")) << arguments;
  }
  EXPECT_TRUE(contains(run("cert nod gold-1").err, "did you mean 'node'?"));
}

TEST_F(CertCommand, ADamagedAuthorityIsExitCode4) {
  run("cert init");
  write("certificates/ca/key.pem", "no key");
  const Told told = run("cert node gold-1");
  EXPECT_EQ(told.exit_code, 4);
  run("cert init --folder other");
  write("certificates/ca/key.pem", read("other/ca/key.pem"));
  const Told mixed = run("cert node gold-1");
  EXPECT_EQ(mixed.exit_code, 4);
  EXPECT_TRUE(contains(mixed.err, "does not belong")) << mixed.err;
}

}  // namespace
}  // namespace espalier
