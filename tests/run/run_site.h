// SPDX-License-Identifier: Apache-2.0
// Starts runs as processes, with nodes that pretend to train.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "orchestrator/run_directory.h"
#include "run/started.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {

class RunSite : public testing::Test {
 protected:
  RunSite() { write_scenario("0.6"); }

  void write_scenario(const std::string& goal) const {
    folder.write("fakes.yaml", R"(espalier: 1
name: fakes
goal: {loss: )" + goal + R"(, deadline: 100}
start: {model: L, nodes: gold, loss: 2}
models: {L: {}, M: {from: L, prune: 0.5}}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 2, energy: 9, learn: {rate: 0.15}}
  - {model: M, nodes: silver, time: 1, energy: 3, learn: {rate: 0.15}}
change:
  models: [{from: L, to: M, time: 1, energy: 1, jump: 0.1}]
training:
  network: vgg11
  width: 0.02
  dataset: synthetic:10x10
  round_to: 1
  nodes:
    gold: {samples: 2000, classes: 10, members: 2}
    silver: {samples: 1000, classes: 10, members: 2}
)");
  }

  void change_scenario(const std::string& from, const std::string& to) const {
    std::string text = folder.read("fakes.yaml");
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    folder.write("fakes.yaml", text.replace(at, from.size(), to));
  }

  std::unique_ptr<Started> start(std::vector<std::string> words,
                                 const std::vector<std::string>& environment = {}) const {
    words.insert(words.begin(), ESPALIER_PROGRAM);
    return std::make_unique<Started>(words, environment, folder.path());
  }
  std::vector<std::string> run_words(const std::string& output,
                                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"run",  "fakes.yaml", "-y",           "--output",
                                   output, "--trainer",  PRETENDING_NODE};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Exit code.
  int run(const std::vector<std::string>& words,
          const std::vector<std::string>& environment = {}) const {
    return start(words, environment)->wait();
  }
  std::string out() const { return folder.read(".out"); }
  std::string err() const { return folder.read(".err"); }

  // What runs that went the same way have in common.
  std::string outcome(const std::string& name) const {
    return folder.read(std::filesystem::path(name) / "metrics.csv");
  }
  std::size_t epochs_told() const {
    const std::string text = out();
    std::size_t count = 0;
    for (std::size_t at = text.find("\nepoch "); at != std::string::npos;
         at = text.find("\nepoch ", at + 1))
      ++count;
    return count;
  }
  template <class Claim>
  static bool comes_true(const Claim& claim) {
    for (int i = 0; i < 6000 && !claim(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return claim();
  }

  const TemporaryFolder folder;
};

}  // namespace espalier
