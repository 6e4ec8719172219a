// SPDX-License-Identifier: Apache-2.0
// Whole runs on one machine that really train: its own nodes, and nothing that pretends.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/model_file.h"
#include "run/csv_rows.h"
#include "run/started.h"
#include "support/temporary_folder.h"

namespace espalier {

class LocalRunSite : public testing::Test {
 protected:
  LocalRunSite() {
    folder.write("local.yaml", R"(espalier: 1
name: local
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
  width: 0.1
  dataset: synthetic:4x100
  batch: 16
  learning_rate: 0.01
  round_to: 8
  nodes:
    gold: {samples: 200, classes: 4, members: 2}
    silver: {samples: 200, classes: 4, members: 2}
)");
  }

  // Exit code.
  int start(std::vector<std::string> words,
            const std::vector<std::string>& environment = {}) const {
    words.insert(words.begin(), ESPALIER_PROGRAM);
    return Started(words, environment, folder.path()).wait();
  }
  int run(const std::string& output, const std::vector<std::string>& more = {},
          const std::vector<std::string>& environment = {}) const {
    std::vector<std::string> words{"run", "local.yaml", "-y", "--output", output};
    words.insert(words.end(), more.begin(), more.end());
    return start(words, environment);
  }
  int export_model(const std::string& output, const std::string& file) const {
    return start({"export", output, "--model", file});
  }
  static std::size_t values_in(const Network& network) {
    std::size_t count = 0;
    for (const auto& [name, tensor] : network.weights) count += tensor.values.size();
    return count;
  }
  std::string said() const { return folder.read(".out") + folder.read(".err"); }
  std::string metrics(const std::string& output) const {
    return folder.read(std::filesystem::path(output) / "metrics.csv");
  }
  std::vector<CsvRow> epochs(const std::string& output) const { return csv_rows(metrics(output)); }

  const TemporaryFolder folder;
};

}  // namespace espalier
