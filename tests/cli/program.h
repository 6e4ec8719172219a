// SPDX-License-Identifier: Apache-2.0
// Runs the program itself and catches what it says.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {

struct Told {
  int exit_code = -1;
  std::string out;
  std::string err;

  // The one JSON document on stdout; fails the test if it is not exactly one.
  nlohmann::json document() const {
    auto parsed = nlohmann::json::parse(out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << "stdout is not one JSON document:\n" << out;
    return parsed;
  }
};

// A folder of its own for each test, gone afterwards.
class ProgramTest : public testing::Test {
 protected:
  // `arguments` as a shell reads them. The program runs in the folder of the test.
  Told run(const std::string& arguments) const { return shell(program(arguments)); }

  // Sends the signal as soon as the program tells how far it is.
  Told signalled(const std::string& signal, const std::string& arguments) const {
    return shell("rm -f .err && { " + program(arguments) +
                 " & } && while test ! -s .err && kill -0 $!; do " + "sleep 0.02; done; kill -" +
                 signal + " $! && wait $!");
  }

  std::string write(const std::string& name, const std::string& text) const {
    folder_.write(name, text);
    return name;
  }

  std::string read(const std::string& name) const { return folder_.read(name); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

 private:
  static std::string program(const std::string& arguments) {
    return ESPALIER_PROGRAM " " + arguments + " > .out 2> .err < /dev/null";
  }

  Told shell(const std::string& command) const {
    const int status = std::system(("cd '" + folder_.path().string() + "' && " + command).c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(".out"), read(".err")};
  }

  const TemporaryFolder folder_;
};

// Three epochs of L reach the goal; S is cheaper and slower.
inline std::string tiny_scenario(const std::string& more = "") {
  return R"(espalier: 1
name: tiny
goal: {loss: 0.3, deadline: 8}
start: {model: L, nodes: a, loss: 2}
models: {L: {}, S: {from: L, prune: 0.5}}
nodes: {a: {}}
run:
  - {model: L, nodes: a, time: 1, energy: 2, learn: {rate: 0.5}}
  - {model: S, nodes: a, time: 1, energy: 1, learn: {rate: 0.4}}
change:
  models:
    - {from: L, to: S, time: 0.5, energy: 0.2, jump: 0.25}
)" + more;
}

}  // namespace espalier
