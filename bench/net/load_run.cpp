// SPDX-License-Identifier: Apache-2.0
#include "net/load_run.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "meter.h"

extern char** environ;

namespace espalier::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// An epoch may take long: nobody is cut off.
constexpr int kEpochSeconds = 1000;
// The high-water mark is asked for again and again: it is gone with the process.
constexpr std::chrono::milliseconds kLookAtMemory{10};

std::string scenario_text(const Load& load) {
  std::string curve = "1";
  std::string agents;
  for (int i = 1; i <= load.rounds; ++i)
    curve += fmt::format(", {:.6g}", 1 - static_cast<double>(i) / load.rounds);
  for (int i = 0; i < load.agents; ++i) agents += (i > 0 ? ", " : "") + name_of_agent(i);
  return fmt::format(R"(espalier: 1
name: load
goal: {{loss: 0.001, deadline: {}}}
start: {{model: L, nodes: all, loss: 1}}
models: {{L: {{}}}}
nodes: {{all: {{}}}}
run:
  - {{model: L, nodes: all, time: {}, energy: 1, learn: {{curve: [{}]}}}}
training:
  network: vgg11
  width: {}
  dataset: cifar10
  nodes:
    all: {{samples: {}, classes: 10, agents: [{}]}}
)",
                     kEpochSeconds * (load.rounds + 1), kEpochSeconds, curve, load.width,
                     samples_of_all(load), agents);
}

// A process whose output is read. Killed when it is destroyed.
class Program {
 public:
  explicit Program(std::vector<std::string> words) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(ErrorCode::RunFailed, "no pipe");
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failure =
        ::posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    out_ = ::fdopen(ends[0], "r");
    if (failure != 0) throw Error(ErrorCode::RunFailed, "'" + words[0] + "' cannot be started");
  }
  ~Program() {
    std::fclose(out_);
    if (!is_over_) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  std::optional<std::string> line() {
    std::string text;
    for (int c = 0; (c = std::fgetc(out_)) != EOF;) {
      if (c == '\n') return text;
      text += static_cast<char>(c);
    }
    return std::nullopt;
  }
  bool ends_well() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    is_over_ = true;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t pid_ = -1;
  std::FILE* out_ = nullptr;
  bool is_over_ = false;
};

// Follows what the program says.
class Follower {
 public:
  Follower(const Load& load, Program& program,
           const std::function<pid_t(const std::string& address)>& start_agents)
      : load_(load), program_(program), start_agents_(start_agents) {}

  LoadRun follow() {
    std::atomic<std::int64_t> memory = 0;
    std::jthread watch([&](const std::stop_token& stop) {
      for (; !stop.stop_requested(); std::this_thread::sleep_for(kLookAtMemory))
        memory = std::max(memory.load(), peak_bytes_of(program_.pid()));
    });
    std::string last;
    while (const auto line = program_.line()) {
      hear(json::parse(*line, nullptr, false));
      last = *line;
    }
    watch = {};
    run_.memory = memory;
    if (!program_.ends_well())
      throw Error(ErrorCode::RunFailed, "the run failed; it said: " + last);
    run_.took = end_ - begin_;
    return run_;
  }

 private:
  Moment now() const { return moment_of(program_.pid(), agents_); }

  void hear(const json& said) {
    const std::string event = said.is_object() ? said.value("event", "") : "";
    if (event == "listening") {
      run_.memory_alone = peak_bytes_of(program_.pid());
      agents_ = start_agents_(said.at("address"));
    }
    if (event == "first-look") begin_ = now();
    if (event == "epoch") {
      end_ = now();
      if (said.at("members") == load_.agents) ++run_.rounds;
    }
  }

  const Load& load_;
  Program& program_;
  const std::function<pid_t(const std::string& address)>& start_agents_;
  pid_t agents_ = 0;
  Moment begin_;
  Moment end_;
  LoadRun run_;
};

}  // namespace

LoadRun carry_out(const Load& load, const fs::path& program, const fs::path& certificates,
                  const std::function<pid_t(const std::string& address)>& start_agents) {
  const fs::path scenario = load.folder / "load.yaml";
  std::ofstream(scenario) << scenario_text(load);
  Program run({program.string(), "run", scenario.string(), "--yes", "--anyway", "--format", "jsonl",
               "--listen", "127.0.0.1:0", "--certificates", certificates.string(), "--output",
               (load.folder / "run").string()});
  return Follower(load, run, start_agents).follow();
}

}  // namespace espalier::bench
