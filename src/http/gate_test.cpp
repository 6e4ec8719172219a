// SPDX-License-Identifier: Apache-2.0
#include "http/gate.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

HttpRequest from(const std::string& host) { return {"GET", "/", {}, {{"host", host}}, ""}; }

int status_of(const Gate& gate, const HttpRequest& request) {
  const auto refused = gate.refuse(request);
  return refused ? refused->status : 200;
}

TEST(Gate, KnowsThisMachineByItsUsualNames) {
  const Gate gate({});
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:8377", "localhost:8377", "LOCALHOST", "[::1]:80"})
    EXPECT_EQ(status_of(gate, from(host)), 200) << host;
}

TEST(Gate, RefusesForeignNamesThatLeadHere) {
  const Gate gate({});
  for (const char* host : {"", "evil.example", "evil.example:8377", "localhost.evil.example",
                           "127.0.0.1.evil.example", "192.168.0.7", "[", "0.0.0.0"})
    EXPECT_EQ(status_of(gate, from(host)), 421) << host;
}

TEST(Gate, KnowsNamesItWasTold) {
  const Gate gate({.names = {"factory.example"}});
  EXPECT_EQ(status_of(gate, from("factory.example:443")), 200);
  EXPECT_EQ(status_of(gate, from("other.example")), 421);
}

TEST(Gate, BeyondThisMachineTakesAddressesButDemandsTheToken) {
  const Gate gate({.loopback_only = false, .token = "0123456789abcdef"});
  HttpRequest request = from("192.168.0.7:8377");
  EXPECT_EQ(status_of(gate, request), 401);
  request.headers["authorization"] = "Bearer 0123456789abcdeF";
  EXPECT_EQ(status_of(gate, request), 401);
  request.headers["authorization"] = "Bearer 0123456789abcdef";
  EXPECT_EQ(status_of(gate, request), 200);
  request.headers["host"] = "evil.example";
  EXPECT_EQ(status_of(gate, request), 421);
}

TEST(Gate, TurnsTheTokenOfAnAddressIntoACookie) {
  const Gate gate({.loopback_only = false, .token = "0123456789abcdef"});
  HttpRequest request = from("192.168.0.7");
  request.query["token"] = "wrong";
  EXPECT_FALSE(gate.let_in(request));
  request.query["token"] = "0123456789abcdef";
  const auto entrance = gate.let_in(request);
  ASSERT_TRUE(entrance);
  EXPECT_EQ(entrance->status, 303);
  std::string cookie;
  for (const HttpHeader& header : entrance->headers) {
    if (header.name == "Set-Cookie") cookie = header.value;
  }
  EXPECT_NE(cookie.find("HttpOnly; SameSite=Strict"), std::string::npos);
  HttpRequest next = from("192.168.0.7");
  next.headers["cookie"] = "other=1; " + cookie.substr(0, cookie.find(';'));
  EXPECT_EQ(status_of(gate, next), 200);
}

TEST(Gate, RefusesWhatPagesOfOtherSitesSend) {
  const Gate gate({});
  HttpRequest request = from("localhost:8377");
  request.method = "POST";
  request.headers["content-type"] = "application/json";
  EXPECT_EQ(status_of(gate, request), 200);
  request.headers["origin"] = "http://localhost:8377";
  EXPECT_EQ(status_of(gate, request), 200);
  request.headers["origin"] = "http://evil.example";
  EXPECT_EQ(status_of(gate, request), 403);
  request.headers.erase("origin");
  request.headers["sec-fetch-site"] = "cross-site";
  EXPECT_EQ(status_of(gate, request), 403);
}

TEST(Gate, TakesJsonOnlyAsThatIsWhatFormsCannotSend) {
  const Gate gate({});
  HttpRequest request = from("localhost");
  request.method = "POST";
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded"}) {
    request.headers["content-type"] = type;
    EXPECT_EQ(status_of(gate, request), 415) << type;
  }
}

TEST(Gate, TokensAreLongAndNeverTheSame) {
  EXPECT_EQ(fresh_token().size(), 64U);
  EXPECT_NE(fresh_token(), fresh_token());
}

TEST(Gate, KnowsWhichHostsAreThisMachine) {
  EXPECT_TRUE(is_loopback_host("127.8.8.8"));
  EXPECT_TRUE(is_loopback_host("::1"));
  EXPECT_FALSE(is_loopback_host("0.0.0.0"));
  EXPECT_FALSE(is_loopback_host("127.0.0.1.example"));
}

}  // namespace
}  // namespace espalier
