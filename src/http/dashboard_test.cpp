// SPDX-License-Identifier: Apache-2.0
#include "http/dashboard.h"

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "fakes/played_runs.h"
#include "io/scenario_file.h"
#include "render/json.h"
#include "support/http_client.h"

namespace espalier {
namespace {

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

const std::string kJson = "Content-Type: application/json\r\n";

// On a port of its own, with one run that is over.
class DashboardTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    shelf_ = std::make_unique<PlayedRuns>(std::chrono::milliseconds(0));
    const Setting near{"goal.loss", "1"};
    shelf_->add({.name = "played",
                 .scenario = load_scenario("examples/smart-factory.yaml", {&near, 1}),
                 .extra_node = "<script>alert(1)</script>"});
    dashboard_ = std::make_unique<Dashboard>(*shelf_, DashboardOptions{.version = "1.2.3"});
  }
  static void TearDownTestSuite() {
    dashboard_.reset();
    shelf_.reset();
  }

  static HttpAnswer get(const std::string& path, const std::string& headers = "") {
    return ask(dashboard_->port(), {.path = path, .headers = headers});
  }
  static HttpAnswer post(const std::string& path, const Json& body) {
    return ask(dashboard_->port(),
               {.method = "POST", .path = path, .headers = kJson, .body = body.dump()});
  }
  static Json data_of(const HttpAnswer& answer) {
    EXPECT_EQ(answer.status, 200) << answer.body;
    return Json::parse(answer.body).at("data");
  }
  static std::string message_of(const HttpAnswer& answer) {
    return Json::parse(answer.body).at("error").at("message");
  }
  static Json factory() { return {{"scenario", text_of("examples/smart-factory.yaml")}}; }

  static std::unique_ptr<PlayedRuns> shelf_;
  static std::unique_ptr<Dashboard> dashboard_;
};

std::unique_ptr<PlayedRuns> DashboardTest::shelf_;
std::unique_ptr<Dashboard> DashboardTest::dashboard_;

TEST_F(DashboardTest, PlansAScenarioThatItIsSent) {
  Json body = factory();
  body["alternatives"] = true;
  const Json plan = data_of(post("/api/v1/plan", body));
  EXPECT_EQ(plan.at("verdict"), "optimal");
  EXPECT_NEAR(plan.at("energy").get<double>(), 30.4, 1e-9);
  EXPECT_GT(plan.at("alternatives").size(), 2U);
}

TEST_F(DashboardTest, PlansForAnotherGoal) {
  Json body = factory();
  body["settings"] = {{"goal.loss", 0.5}};
  const Json plan = data_of(post("/api/v1/plan", body));
  EXPECT_EQ(plan.at("goal").at("loss"), 0.5);
  EXPECT_LT(plan.at("energy").get<double>(), 20);
}

TEST_F(DashboardTest, AnswersThatAGraphIsTooLargeToDraw) {
  Json body = factory();
  const Json large = data_of(post("/api/v1/graph", body));
  EXPECT_FALSE(large.at("complete").get<bool>());
  EXPECT_TRUE(large.at("states").empty());
  body["settings"] = {{"goal.loss", 1.8}};
  const Json small = data_of(post("/api/v1/graph", body));
  EXPECT_TRUE(small.at("complete").get<bool>());
  EXPECT_GT(small.at("states").size(), 10U);
}

TEST_F(DashboardTest, TellsWhichExamplesCanBePlanned) {
  const Json answer = data_of(get("/api/v1/examples"));
  std::map<std::string, bool> can_be_planned;
  for (const Json& example : answer.at("examples"))
    can_be_planned[example.at("name")] = example.at("can_be_planned");
  EXPECT_TRUE(can_be_planned.at("smart-factory"));
  EXPECT_FALSE(can_be_planned.at("first-training"));
}

TEST_F(DashboardTest, TellsWhatIsWrongWithAScenarioAndWhere) {
  const Json check =
      data_of(post("/api/v1/check", {{"scenario", "espalier: 1\ngoal: {loss: -1}\n"}}));
  EXPECT_GT(check.at("errors").get<int>(), 0);
  bool is_at_line_2 = false;
  for (const Json& problem : check.at("files").at(0).at("diagnostics"))
    is_at_line_2 = is_at_line_2 || problem.at("line") == 2;
  EXPECT_TRUE(is_at_line_2);
}

TEST_F(DashboardTest, RefusesToPlanAScenarioWithErrors) {
  const HttpAnswer answer =
      post("/api/v1/plan", {{"scenario", "espalier: 1\n"}, {"file", "mine.yaml"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(message_of(answer).find("mine.yaml"), std::string::npos);
}

TEST_F(DashboardTest, RefusesRequestsThatItDoesNotUnderstand) {
  EXPECT_EQ(post("/api/v1/plan", Json::array()).status, 400);
  Json body = factory();
  body["stratgy"] = "exact";
  EXPECT_EQ(post("/api/v1/plan", body).status, 400);
  body = factory();
  body["strategy"] = "exat";
  EXPECT_NE(message_of(post("/api/v1/plan", body)).find("did you mean 'exact'"), std::string::npos);
  const HttpAnswer broken =
      ask(dashboard_->port(),
          {.method = "POST", .path = "/api/v1/plan", .headers = kJson, .body = "{\"scenario\": "});
  EXPECT_EQ(broken.status, 400);
  EXPECT_EQ(get("/api/v1/plan").status, 405);
  EXPECT_EQ(get("/nowhere").status, 404);
  EXPECT_EQ(get("/api/v1/runs/nobody").status, 404);
  EXPECT_EQ(get("/api/v1/examples/nothing").status, 404);
  EXPECT_EQ(get("/api/v1/runs/played/events?after=-1").status, 400);
}

TEST_F(DashboardTest, ReadsNoFileThatAScenarioNames) {
  std::string text = text_of("examples/smart-factory.yaml");
  const std::string rule = "{rate: 0.08, floor: 0.02, power: 1.4}";
  text.replace(text.find(rule), rule.size(), "{traces: /etc/passwd}");
  const HttpAnswer answer = post("/api/v1/plan", {{"scenario", text}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(message_of(answer).find("from a file"), std::string::npos);
}

TEST_F(DashboardTest, GivesNothingButItsOwnFiles) {
  for (const char* path :
       {"/../../../etc/passwd", "/assets/../../etc/passwd", "/..%2f..%2fetc%2fpasswd",
        "/assets/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/assets/..\\..\\etc\\passwd",
        "/api/v1/examples/..%2f..%2fetc%2fpasswd", "/api/v1/runs/..%2f..%2fetc",
        "/assets/app.js%00.html"}) {
    const HttpAnswer answer = get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.body.find("root:"), std::string::npos) << path;
  }
}

TEST_F(DashboardTest, RefusesForeignHosts) {
  const HttpAnswer answer = ask(dashboard_->port(), {.path = "/", .host = "evil.example"});
  EXPECT_EQ(answer.status, 421);
  EXPECT_TRUE(answer.headers.contains("content-security-policy"));
}

TEST_F(DashboardTest, LetsNothingFromElsewhereIntoThePage) {
  for (const char* path : {"/", "/api/v1/examples", "/nowhere", "/metrics"}) {
    const HttpAnswer answer = get(path);
    const std::string policy = answer.headers.at("content-security-policy");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos) << path;
    EXPECT_EQ(policy.find("unsafe"), std::string::npos) << path;
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff") << path;
  }
}

TEST_F(DashboardTest, ServesNamesAsTextAndNeverAsMarkup) {
  const HttpAnswer answer = get("/api/v1/runs/played");
  EXPECT_EQ(answer.headers.at("content-type"), "application/json");
  bool is_there = false;
  const Json run = data_of(answer);
  for (const Json& node : run.at("nodes"))
    is_there = is_there || node.at("name") == "<script>alert(1)</script>";
  EXPECT_TRUE(is_there);
}

TEST_F(DashboardTest, ShowsARunAsItsNewsAddUp) {
  const Json run = data_of(get("/api/v1/runs/played"));
  EXPECT_EQ(run.at("state"), "reached");
  const Json& epochs = run.at("epochs");
  EXPECT_GT(epochs.at("loss").size(), 3U);
  EXPECT_EQ(epochs.at("loss").size(), epochs.at("time").size());
  EXPECT_LE(epochs.at("loss").back().get<double>(), 1.0);
  EXPECT_EQ(data_of(get("/api/v1/runs")).at("runs").at(0).at("name"), "played");
}

std::vector<std::int64_t> ids_in(const std::string& text) {
  std::vector<std::int64_t> ids;
  for (std::size_t at = text.find("\nid: "); at != std::string::npos;
       at = text.find("\nid: ", at + 1))
    ids.push_back(std::stoll(text.substr(at + 5)));
  return ids;
}

TEST_F(DashboardTest, StreamsEveryPieceOfNewsOnceAcrossReconnects) {
  const std::int64_t last = data_of(get("/api/v1/runs/played")).at("last_id");
  const auto listen = [&](const std::string& headers) {
    HttpConnection connection(dashboard_->port());
    connection.say("GET /api/v1/runs/played/events HTTP/1.1\r\nHost: localhost\r\n" + headers +
                   "\r\n");
    return connection.hear_until("\nid: " + std::to_string(last) + "\n");
  };
  const std::string whole = listen("");
  EXPECT_NE(whole.find("text/event-stream"), std::string::npos);
  const auto all = ids_in(whole);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(last));
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i], static_cast<std::int64_t>(i) + 1);
  const auto rest = ids_in(listen("Last-Event-ID: 5\r\n"));
  ASSERT_EQ(rest.size(), static_cast<std::size_t>(last) - 5);
  EXPECT_EQ(rest.front(), 6);
}

TEST_F(DashboardTest, TellsWhoHasSeenAnotherRunToBeginAnew) {
  HttpConnection connection(dashboard_->port());
  connection.say(
      "GET /api/v1/runs/played/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: "
      "999999\r\n\r\n");
  EXPECT_NE(connection.hear_until("event: reset").find("event: reset"), std::string::npos);
}

// Its library would spend seconds on it.
TEST_F(DashboardTest, DoesNotCompress) {
  const HttpAnswer answer = get("/api/v1/runs/played", "Accept-Encoding: gzip, br\r\n");
  EXPECT_FALSE(answer.headers.contains("content-encoding"));
  EXPECT_EQ(answer.headers.at("content-length"), std::to_string(answer.body.size()));
}

TEST_F(DashboardTest, CountsForPrometheus) {
  get("/nowhere");
  const HttpAnswer answer = get("/metrics");
  EXPECT_TRUE(answer.headers.at("content-type").starts_with("text/plain; version=0.0.4"));
  EXPECT_NE(answer.body.find("espalier_info{version=\"1.2.3\"} 1\n"), std::string::npos);
  EXPECT_NE(answer.body.find("espalier_http_requests_total{route=\"none\",status=\"404\"}"),
            std::string::npos);
  EXPECT_NE(answer.body.find("espalier_run_running{run=\"played\"} 0\n"), std::string::npos);
}

TEST_F(DashboardTest, AnswersAgainOnlyWhatChanged) {
  const std::string tag = get("/").headers.at("etag");
  EXPECT_EQ(get("/", "If-None-Match: " + tag + "\r\n").status, 304);
}

TEST(DashboardBeyondThisMachine, DemandsTheToken) {
  PlayedRuns shelf{std::chrono::milliseconds(0)};
  DashboardOptions options;
  options.gate = {.loopback_only = false, .token = "0123456789abcdef"};
  const Dashboard dashboard(shelf, options);
  for (const char* path : {"/", "/api/v1/runs", "/metrics"})
    EXPECT_EQ(ask(dashboard.port(), {.path = path}).status, 401) << path;
  EXPECT_EQ(ask(dashboard.port(), {.path = "/?token=0123456789abcdef"}).status, 303);
  EXPECT_EQ(ask(dashboard.port(),
                {.path = "/api/v1/runs", .headers = "Authorization: Bearer 0123456789abcdef\r\n"})
                .status,
            200);
}

TEST(DashboardAddress, ThatIsTakenIsAnError) {
  PlayedRuns shelf{std::chrono::milliseconds(0)};
  const Dashboard first(shelf, {});
  DashboardOptions same;
  same.server.port = first.port();
  EXPECT_THROW(Dashboard(shelf, same), Error);
}

}  // namespace
}  // namespace espalier
