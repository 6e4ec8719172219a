// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "certificates/certificate_folder.h"
#include "run_site.h"

namespace espalier {
namespace {

using RunProgram = RunSite;

TEST_F(RunProgram, ReachesItsGoalAndTellsSo) {
  ASSERT_EQ(run(run_words("here")), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "The goal is reached")) << out();
  EXPECT_TRUE(contains(out(), "modelled: the scenario"));
  EXPECT_TRUE(contains(out(), "1 switch"));
  EXPECT_GE(epochs_told(), 5U);
  for (const char* name : {"scenario.yaml", "run.json", "journal.db", "metrics.csv", "events.jsonl",
                           "models/best.safetensors", "plans/0000.json", "agents/gold-1.log"})
    EXPECT_TRUE(std::filesystem::exists(folder / "here" / name)) << name;

  ASSERT_EQ(run({"status", "here"}), 0) << err();
  EXPECT_TRUE(contains(out(), "over: the goal was reached")) << out();
  ASSERT_EQ(run({"status", "here", "--format", "json"}), 0);
  const auto status = nlohmann::json::parse(out());
  EXPECT_EQ(status["data"]["end"], "goal-reached");
  EXPECT_EQ(status["data"]["is_running"], false);
  ASSERT_EQ(run({"logs", "here"}), 0) << err();
  EXPECT_GE(epochs_told(), 5U);
  ASSERT_EQ(run({"export", "here", "--model", "m.safetensors", "--csv", "m.csv", "--plans",
                 "p.json", "--tensorboard", "boards/here"}),
            0)
      << err();
  EXPECT_EQ(folder.read("m.csv"), outcome("here"));
  EXPECT_TRUE(contains(out(), "boards/here/events.out.tfevents.")) << out();
  EXPECT_GT(std::filesystem::directory_iterator(folder / "boards/here")->file_size(), 1000U);
  EXPECT_EQ(run({"stop", "here"}), 0);
  EXPECT_TRUE(contains(out(), "nobody carries"));
  EXPECT_EQ(run({"resume", "here"}), 0) << "it is over, and stays so";
}

TEST_F(RunProgram, TellsMachinesJsonLines) {
  ASSERT_EQ(run(run_words("here", {"--format", "jsonl"})), 0) << err();
  std::istringstream lines(out());
  std::map<std::string, int> kinds;
  for (std::string line; std::getline(lines, line);) {
    const auto value = nlohmann::json::parse(line, nullptr, false);
    ASSERT_FALSE(value.is_discarded()) << line;
    ++kinds[value["event"]];
  }
  EXPECT_GE(kinds["epoch"], 5);
  EXPECT_EQ(kinds["end"], 1);
  EXPECT_GE(kinds["plan"], 1);
}

TEST_F(RunProgram, TellsOfEveryPlannedEnergyWhereItComesFrom) {
  ASSERT_EQ(run(run_words("here")), 0) << err();
  const auto plan = nlohmann::json::parse(folder.read("here/plans/0001.json"));
  ASSERT_FALSE(plan.at("steps").empty());
  for (const auto& told : {plan.at("from"), plan.at("steps").at(0)}) {
    EXPECT_TRUE(told.at("energy").is_number());
    EXPECT_EQ(told.at("provenance"), "modelled");
    EXPECT_EQ(told.at("source"), "the scenario");
  }
}

TEST_F(RunProgram, KeepsWithWhatItWasMade) {
  ASSERT_EQ(run(run_words("here")), 0) << err();
  const auto made = nlohmann::json::parse(folder.read("here/run.json"))["environment"];
  for (const char* key : {"program", "system", "host", "compiler", "grpc", "sqlite", "begun"})
    EXPECT_FALSE(made.value(key, "").empty()) << key << made.dump(1);
  EXPECT_TRUE(made["processor"].is_string()) << "not every machine tells its model";
  EXPECT_GE(made["cores"], 1);
  EXPECT_GE(made["memory_bytes"], 1 << 24);
  for (const char* key : {"grpc", "sqlite"})
    EXPECT_EQ(std::ranges::count(made.value(key, ""), '.'), 2) << made[key];
}

TEST_F(RunProgram, AsksBeforeItBegins) {
  EXPECT_EQ(run({"run", "fakes.yaml", "--trainer", PRETENDING_NODE}), 4);
  EXPECT_TRUE(contains(err(), "-y begins without asking")) << err();
  EXPECT_FALSE(std::filesystem::exists(folder / "runs" / "fakes-1" / "journal.db"));
}

TEST_F(RunProgram, ThatNeverBeganIsNotTheNewest) {
  ASSERT_EQ(run(run_words("runs/fakes-1")), 0) << err();
  folder.write("runs/fakes-2/run.json", folder.read("runs/fakes-1/run.json"));
  EXPECT_EQ(run({"status"}), 0) << err();
  EXPECT_TRUE(contains(out(), "runs/fakes-1")) << out();
}

TEST_F(RunProgram, EndsAtOnceWhereNoNodeCanUseItsData) {
  EXPECT_EQ(run(run_words("here"), {"PRETEND_BAD_DATA=1"}), 4) << out();
  EXPECT_TRUE(contains(err(), "there are only 100 images")) << err();
  EXPECT_TRUE(contains(err(), "→ take fewer of them")) << err();
  EXPECT_FALSE(std::filesystem::exists(folder / "here"));
  change_scenario("synthetic:10x10", "nodataset");
  EXPECT_EQ(run(run_words("here")), 4) << out();
  EXPECT_TRUE(contains(err(), "unknown data set 'nodataset'")) << err();
}

TEST_F(RunProgram, DoesNotBeginWhatCannotBeReached) {
  EXPECT_EQ(run(run_words("here", {"--set", "goal.deadline=3"})), 6) << out() << err();
  EXPECT_FALSE(std::filesystem::exists(folder / "here"));
}

TEST_F(RunProgram, RefusesWhatItCannotRun) {
  const auto refuses = [&](const std::vector<std::string>& words, const std::string& because) {
    EXPECT_EQ(run(words), 4) << because;
    EXPECT_TRUE(contains(err(), because)) << err();
    EXPECT_TRUE(contains(err(), "→ ")) << "a hint" << err();
  };
  refuses(run_words("here", {"--listen", "127.0.0.1:0"}), "--certificates");
  refuses(run_words("here", {"--certificates", "x"}), "--listen");
  refuses(run_words("here", {"--strategy", "pakt"}), "did you mean 'pact'");
  refuses(run_words("here", {"--patience", "-3"}), "-3");
  refuses(run_words("here", {"--fitted", "nothing"}), "nothing");
  folder.write("planned.yaml",
               "espalier: 1\nname: p\ngoal: {loss: 1, deadline: 9}\nstart: {model: L, nodes: a, "
               "loss: 2}\nmodels: {L: {}}\nnodes: {a: {}}\nrun: [{model: L, nodes: a, time: 1, "
               "energy: 1, learn: {rate: 0.5}}]\n");
  refuses({"run", "planned.yaml", "-y"}, "training");
  refuses({"resume", "nowhere"}, "nowhere");
  refuses({"status", "nowhere"}, "nowhere");
  refuses({"run", "fakes.yaml", "-y", "--trainer", "./nothing"}, "nothing");
}

TEST_F(RunProgram, RefusesAddressesAndCertificatesThatCannotBeUsed) {
  const auto certificates = CertificateFolder::create(
      folder / "certificates", valid_for(std::chrono::days(1), std::chrono::system_clock::now()));
  const auto refuses = [&](const std::string& listen, const std::string& because) {
    EXPECT_EQ(run(run_words("here", {"--listen", listen, "--certificates", "certificates"})), 4)
        << because << out();
    EXPECT_TRUE(contains(err(), because)) << err();
    EXPECT_TRUE(contains(err(), "→")) << "a hint" << err();
  };
  const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{
      .sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken, 1), 0);
  ::getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size);
  refuses("127.0.0.1:" + std::to_string(ntohs(address.sin_port)), "in use");
  ::close(taken);
  refuses("nowhere", "nowhere");
  refuses("127.0.0.1:99999", "'99999' is no port");
  const auto key = certificates.orchestrator_files() / "key.pem";
  std::filesystem::permissions(key, std::filesystem::perms(0644));
  refuses("127.0.0.1:0", "key");
  const auto other = CertificateFolder::create(
      folder / "other", valid_for(std::chrono::days(1), std::chrono::system_clock::now()));
  std::filesystem::copy_file(other.orchestrator_files() / "key.pem", key,
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::permissions(key, std::filesystem::perms(0600));
  refuses("127.0.0.1:0", "key");
  EXPECT_EQ(run({"status", "here"}), 4) << "nothing was begun";
}

TEST_F(RunProgram, IsStoppedByOneSignalAndCanBeResumed) {
  const auto running =
      start(run_words("here", {"--set", "goal.loss=0.3"}), {"PRETEND_TASK_MS=300"});
  ASSERT_TRUE(comes_true([&] { return epochs_told() >= 1 || running->is_over(); }));
  running->signal(SIGINT);
  EXPECT_EQ(running->wait(), 7) << out() << err();
  EXPECT_TRUE(contains(out(), "espalier resume here")) << out();
  ASSERT_EQ(run({"status", "here"}), 0);
  EXPECT_TRUE(contains(out(), "can be resumed")) << out();
  ASSERT_EQ(run({"resume", "here"}), 0) << out() << err();
  EXPECT_TRUE(contains(out(), "The goal is reached"));
}

TEST_F(RunProgram, TellsMachinesThatItIsNotBegun) {
  EXPECT_EQ(run(run_words("here", {"--set", "goal.deadline=1", "--format", "jsonl"})), 6);
  EXPECT_EQ(nlohmann::json::parse(out())["event"], "not-begun") << out();
}

TEST_F(RunProgram, OfAnotherVersionIsNotReadByOtherRules) {
  ASSERT_EQ(run(run_words("here")), 0) << err();
  auto settings = nlohmann::json::parse(folder.read("here/run.json"));
  settings["rules"] = settings["rules"].get<int>() - 1;
  folder.write("here/run.json", settings.dump());
  for (const char* command : {"status", "resume", "export"}) {
    EXPECT_EQ(run({command, "here"}), 4) << command;
    EXPECT_TRUE(contains(err(), "another version of espalier began this run")) << err();
  }
}

TEST_F(RunProgram, IsCarriedOnOnceOnly) {
  const auto running = start(run_words("here"), {"PRETEND_TASK_MS=1000"});
  const RunDirectory directory(folder / "here");
  ASSERT_TRUE(comes_true([&] { return holder_of(directory).has_value() || running->is_over(); }));
  ASSERT_TRUE(comes_true(
      [&] { return std::filesystem::exists(directory.journal()) || running->is_over(); }));
  EXPECT_EQ(run({"resume", "here"}), 2);
  EXPECT_TRUE(contains(err(), "is in use")) << err();
  EXPECT_EQ(run({"stop", "here"}), 0) << err();
  EXPECT_EQ(running->wait(), 7);
}

}  // namespace
}  // namespace espalier
