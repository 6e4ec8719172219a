// SPDX-License-Identifier: Apache-2.0
// Collects with the program itself and a trainer that trains nothing.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"

namespace espalier {

using Words = std::vector<std::string>;
using Environment = std::map<std::string, std::string>;

// A program that runs while the test goes on.
class Running {
 public:
  Running(Words words, const Environment& environment, const std::filesystem::path& folder) {
    process_ = ::fork();
    if (process_ == 0) become(std::move(words), environment, folder);
  }
  ~Running() {
    if (process_ > 0) end(SIGKILL);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  pid_t process() const { return process_; }

  // -signal if it was killed.
  int wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::optional<int> wait_for(std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    for (;;) {
      int status = 0;
      if (::waitpid(process_, &status, WNOHANG) == process_) {
        process_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      }
      if (std::chrono::steady_clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
  }

  int end(int signal) {
    ::kill(process_, signal);
    return wait();
  }

  // The programs that it has started. What looks for leaks when it ends is a process of its own,
  // but the same program; whoever kills that makes it wait for ever.
  std::vector<pid_t> children() const {
    const std::string pid = std::to_string(process_);
    std::ifstream file("/proc/" + pid + "/task/" + pid + "/children");
    std::vector<pid_t> all;
    for (pid_t child = 0; file >> child;) {
      if (program_of(child) != program_of(process_)) all.push_back(child);
    }
    return all;
  }

 private:
  static std::filesystem::path program_of(pid_t process) {
    std::error_code gone;
    return std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", gone);
  }

  [[noreturn]] static void become(Words words, const Environment& environment,
                                  const std::filesystem::path& folder) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const auto redirect = [&](const char* file, int descriptor) {
      ::dup2(::open((folder / file).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), descriptor);
    };
    redirect(".out", STDOUT_FILENO);
    redirect(".err", STDERR_FILENO);
    if (::chdir(folder.c_str()) == 0) ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }

  pid_t process_ = -1;
};

// A folder of its own for each test, gone afterwards.
class Collection : public testing::Test {
 protected:
  Collection() { write("grid.yaml", scenario()); }

  // Thousands of small files are written to disk for good, which a folder in memory makes quick.
  static std::filesystem::path in_memory() {
    const std::filesystem::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
  }

  static std::string scenario() {
    return R"(espalier: 1
name: grid
goal: {loss: 0.15, deadline: 1000}
start: {model: L, nodes: gold, loss: 2.3}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}, bronze: {}}
training:
  network: vgg11
  dataset: synthetic
  nodes:
    gold: {samples: 45000, classes: 10}
    silver: {samples: 5000, classes: 13}
    bronze: {samples: 1500, classes: 15}
collect:
  seeds: [1, 2]
  sequences: [[gold, silver], [gold, silver, bronze], [gold, bronze, silver]]
  switch_epochs: [2, 7]
  ratios: [[0.5], [0.25, 0.5]]
  last_epochs: 4
)";
  }

  static Words collect_words(const std::string& output, const Words& more = {}) {
    Words words{ESPALIER_PROGRAM, "collect",   "grid.yaml", "--output",
                output,           "--trainer", FAKE_TRAINER};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::unique_ptr<Running> start(const Words& words, const Environment& environment = {}) const {
    return std::make_unique<Running>(words, environment, folder_);
  }

  // The exit code.
  int collect(const std::string& output, const Words& more = {},
              const Environment& environment = {}) const {
    return start(collect_words(output, more), environment)->wait();
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }
  std::string traces(const std::string& output) const { return read(output + "/traces.csv"); }
  std::string err() const { return read(".err"); }
  bool says(const std::string& part) const { return err().find(part) != std::string::npos; }

  nlohmann::json answer() const {
    const auto document = nlohmann::json::parse(read(".out"), nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << read(".out");
    return document.value("data", nlohmann::json::object());
  }

  std::size_t count_files(const std::string& output, const std::string& ending) const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / output))
      count += entry.path().string().ends_with(ending) ? 1 : 0;
    return count;
  }

  const TemporaryFolder place_{in_memory()};
  const std::filesystem::path folder_ = place_.path();
};

}  // namespace espalier
