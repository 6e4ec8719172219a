// SPDX-License-Identifier: Apache-2.0
// A whole run over a poor link: the orchestrator in one network namespace, nodes that really train
// in another, and between them 50 ms each way, 2 % loss and 10 Mbit/s.
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "certificates/certificate_folder.h"
#include "net/poor_link.h"
#include "run/started.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

constexpr LinkQuality kPoor{
    .delay = std::chrono::milliseconds(50), .loss = 0.02, .bits_per_second = 10e6};

// The full network and its momentum are 3 MB.
constexpr const char* kPoorScenario = R"(espalier: 1
name: poor
goal: {loss: 0.6, deadline: 30 min}
start: {model: L, nodes: gold, loss: 1.39}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 60, energy: 9, learn: {rate: 0.25}}
  - {model: M, nodes: silver, time: 30, energy: 3, learn: {rate: 0.25}}
change:
  models: [{from: L, to: M, time: 5, energy: 1, jump: 0.1}]
training:
  network: vgg11
  width: 0.2
  dataset: synthetic:4x200
  batch: 16
  learning_rate: 0.01
  round_to: 8
  nodes:
    gold: {samples: 400, classes: 4, agents: [gold-1, gold-2]}
    silver: {samples: 300, classes: 4, agents: [silver-1, silver-2]}
)";

class RunOverAPoorLink : public testing::Test {
 protected:
  RunOverAPoorLink()
      : link_(kPoor), certificates_(CertificateFolder::create(folder_ / "certificates", a_day())) {}

  void SetUp() override {
    if (!link_.is_there())
      GTEST_SKIP() << "network namespaces need root, ip and /dev/net/tun; not available here";
    folder_.write("poor.yaml", kPoorScenario);
    begin();
    int part = 0;
    for (const char* name : {"gold-1", "gold-2", "silver-1", "silver-2"}) come(name, ++part);
  }

  static Validity a_day() {
    return valid_for(std::chrono::days(1), std::chrono::system_clock::now());
  }

  static std::vector<std::string> behind(std::vector<std::string> before,
                                         const std::vector<std::string>& words) {
    before.insert(before.end(), words.begin(), words.end());
    return before;
  }

  void begin() {
    const std::string listen = PoorLinkBetweenNamespaces::server_host() + ":0";
    run_ = std::make_unique<Started>(
        behind(link_.in_server(),
               {ESPALIER_PROGRAM, "run", "poor.yaml", "-y", "--output", "here", "--listen", listen,
                "--certificates", "certificates", "--format", "jsonl"}),
        std::vector<std::string>{}, folder_.path());
    ASSERT_TRUE(comes_to([&] { return lines_of("listening").size() == 1; })) << said();
    address_ = lines_of("listening")[0]["address"];
  }

  void come(const std::string& name, int part) {
    const auto files = certificates_.issue(name, a_day());
    std::filesystem::create_directories(folder_ / name);
    const std::vector<std::string> words{ESPALIER_TRAINER, "node",
                                         "--orchestrator", address_,
                                         "--data",         "synthetic:4x200",
                                         "--samples",      std::to_string(part) + "/4",
                                         "--certificates", files.string(),
                                         "--work",         (folder_ / name / "work").string()};
    nodes_[name] = std::make_unique<Started>(behind(link_.in_client(), words),
                                             std::vector<std::string>{}, folder_ / name);
  }

  std::vector<nlohmann::json> lines_of(const std::string& event) const {
    std::vector<nlohmann::json> found;
    std::istringstream lines(folder_.read(".out"));
    for (std::string line; std::getline(lines, line);) {
      const auto value = nlohmann::json::parse(line, nullptr, false);
      if (value.is_object() && value.value("event", "") == event) found.push_back(value);
    }
    return found;
  }
  std::string said() const { return folder_.read(".out") + folder_.read(".err"); }

  template <class Claim>
  bool comes_to(const Claim& claim) {
    for (int i = 0; i < 60'000 && !claim() && !run_->is_over(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return claim();
  }

  void expect_goal_reached() {
    EXPECT_EQ(run_->wait(), 0) << said();
    const auto ends = lines_of("end");
    ASSERT_EQ(ends.size(), 1U) << said();
    EXPECT_EQ(ends[0]["end"], "goal-reached");
    EXPECT_LE(ends[0]["loss"], 0.6);
    EXPECT_GE(ends[0]["switches"], 1);
    EXPECT_EQ(ends[0]["nodes_lost"], 0);
    EXPECT_EQ(ends[0]["bad_results"], 0);
    std::printf("%s epochs in %s s, %.1f MB from the nodes, %llu packets lost\n",
                ends[0]["epochs"].dump().c_str(), ends[0]["time"].dump().c_str(),
                static_cast<double>(link_.sent()) / 1e6,
                static_cast<unsigned long long>(link_.lost()));
  }

  const TemporaryFolder folder_;
  PoorLinkBetweenNamespaces link_;
  CertificateFolder certificates_;
  std::unique_ptr<Started> run_;
  std::map<std::string, std::unique_ptr<Started>> nodes_;
  std::string address_;
};

TEST_F(RunOverAPoorLink, ReachesItsGoal) {
  expect_goal_reached();
  EXPECT_GT(link_.lost(), 100U);
  EXPECT_GT(link_.sent(), 8'000'000U) << "updates of a real size";
}

// The link is cut in the middle of uploads, for long enough that the nodes count as silent.
TEST_F(RunOverAPoorLink, ReachesItsGoalThoughItIsCutInTheMiddleOfUploads) {
  ASSERT_TRUE(comes_to([&] { return !lines_of("plan").empty(); })) << said();
  const std::uint64_t before = link_.sent();
  ASSERT_TRUE(comes_to([&] { return link_.sent() > before + 1'000'000; })) << said();
  link_.cut();
  const auto is_silent = [&] {
    for (const auto& line : lines_of("node"))
      if (line["what"] == "is silent") return true;
    return false;
  };
  ASSERT_TRUE(comes_to(is_silent)) << said();
  link_.mend();
  expect_goal_reached();
}

}  // namespace
}  // namespace espalier
