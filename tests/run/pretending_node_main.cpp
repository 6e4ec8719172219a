// SPDX-License-Identifier: Apache-2.0
// A node that is a real process with a real connection, and only pretends to train. Takes the words
// that `espalier run` starts its nodes with. What is wrong with it is said in the environment:
//   PRETEND_ONLY=gold-1       with this one alone
//   PRETEND_TASK_MS=20        how long a task takes
//   PRETEND_TRAIN_MS=20       and training besides
//   PRETEND_LOSS=flat         or rising, nan, steep
//   PRETEND_REPORTS=again     each result twice, and once more after the next one
//   PRETEND_FAILS=1           no task works
//   PRETEND_SAMPLES=7         that it says it has
//   PRETEND_HEIGHT=28         of its images
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <thread>
#include <unistd.h>

#include "certificates/credentials.h"
#include "fakes/run_of_fakes.h"
#include "io/scenario_file.h"
#include "net/grpc_link.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

// What the environment says; empty: nothing.
std::string asked_for(const char* name) {
  const char* text = std::getenv(name);
  return text != nullptr ? text : "";
}

fakes::FakeLoss loss_called(const std::string& name) {
  if (name == "flat") return [](int) { return 2.0; };
  if (name == "rising") return [](int epochs) { return 2.0 + 0.3 * epochs; };
  if (name == "steep") return [](int epochs) { return 2.0 * std::pow(0.4, epochs); };
  return [](int epochs) { return 2.0 * std::pow(0.85, epochs); };
}

std::map<std::string, std::string> options_in(int argc, char** argv) {
  std::map<std::string, std::string> options;
  for (int i = 2; i + 1 < argc; i += 2) options[argv[i]] = argv[i + 1];
  return options;
}

std::string bytes_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class PretendingNode {
 public:
  explicit PretendingNode(std::map<std::string, std::string> options)
      : options_(std::move(options)),
        credentials_(load_credentials(fs::path(options_["--certificates"]))),
        link_({options_["--orchestrator"], credentials_}),
        store_(options_["--work"]),
        node_({credentials_.name}, {}, options_["--nodes"], samples()) {
    hello_ = node_.hello();
    hello_.incarnation = std::to_string(::getpid());
    node_.loss = loss_called(wrong("PRETEND_LOSS"));
    if (!wrong("PRETEND_HEIGHT").empty()) hello_.height = std::stoi(wrong("PRETEND_HEIGHT"));
  }

  void work() {
    for (;;) {
      try {
        link_.enrol(hello_, {});
        beating_ = std::jthread([this](std::stop_token stop) { beat(stop); });
        return serve();
      } catch (const Error& error) {
        std::cerr << error.what() << std::endl;
        std::this_thread::sleep_for(200ms);
      }
    }
  }

 private:
  // What is wrong with this one.
  std::string wrong(const char* name) const {
    const std::string only = asked_for("PRETEND_ONLY");
    return only.empty() || only == credentials_.name ? asked_for(name) : "";
  }

  void pause(const char* name) const {
    std::this_thread::sleep_for(milliseconds(std::atoi(wrong(name).c_str())));
  }

  std::int64_t samples() {
    if (!wrong("PRETEND_SAMPLES").empty()) return std::stoll(wrong("PRETEND_SAMPLES"));
    const Scenario scenario = load_scenario(options_["--scenario"]);
    for (const NodeDataSpec& data : scenario.training->nodes)
      if (scenario.node_sets[data.nodes.pos()].name == options_["--nodes"])
        return data.samples / data.members;
    return 1;
  }

  void beat(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      try {
        link_.heartbeat(std::nullopt, stop);
      } catch (const Error&) {
      }
      for (int i = 0; i < 20 && !stop.stop_requested(); ++i) std::this_thread::sleep_for(50ms);
    }
  }

  void serve() {
    for (;;) {
      const Pulled pulled = link_.pull(5s, {});
      if (std::holds_alternative<Dismissal>(pulled)) return;
      if (const auto* task = std::get_if<Task>(&pulled)) do_task(*task);
    }
  }

  void do_task(const Task& task) {
    const fs::path file = fs::path(options_["--work"]) / "network";
    link_.fetch(task.network, file, {});
    put_object(store_, task.network, bytes_of_file(file));
    pause("PRETEND_TASK_MS");
    if (std::holds_alternative<TrainWork>(task.work)) pause("PRETEND_TRAIN_MS");
    TaskResult result = node_.work(store_, task);
    if (!wrong("PRETEND_FAILS").empty()) give_up(result, TaskEnd::Failed);
    if (wrong("PRETEND_LOSS") == "nan" && task.id.epoch > 0) give_up(result, TaskEnd::Divergent);
    if (result.update) link_.push(*result.update, store_.path_of(*result.update), {});
    link_.report(result, {});
    if (wrong("PRETEND_REPORTS") == "again") report_again(result);
  }

  static void give_up(TaskResult& result, TaskEnd end) {
    result.end = end;
    result.loss = {std::nan("")};
    result.update.reset();
  }

  // Twice, and the one before a third time.
  void report_again(const TaskResult& result) {
    link_.report(result, {});
    if (before_) link_.report(*before_, {});
    before_ = result;
  }

  std::map<std::string, std::string> options_;
  Credentials credentials_;
  GrpcLink link_;
  FileObjectStore store_;
  fakes::FakeNode node_;
  Hello hello_;
  std::optional<TaskResult> before_;
  std::jthread beating_;
};

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
  auto options = espalier::options_in(argc, argv);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have been killed before this.
  if (std::to_string(::getppid()) != options["--parent"]) return 1;
  if (!espalier::asked_for("PRETEND_BAD_DATA").empty()) {
    std::cerr << "error: there are only 100 images\n  → take fewer of them\n";
    return 4;
  }
  espalier::PretendingNode(std::move(options)).work();
  return 0;
}
