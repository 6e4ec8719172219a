// SPDX-License-Identifier: Apache-2.0
// What a command was asked about, to be repeated in the commands that are suggested next.
#pragma once

#include <string>
#include <vector>

namespace espalier {

struct CommandWords {
  std::string file;
  std::vector<std::string> settings{};  // "goal.loss=0.2"
  std::vector<std::string> biases{};    // "L=+0.1"
  std::string fitted{};                 // "traces.fitted"

  // As a shell reads it: "factory.yaml --set goal.loss=0.2".
  std::string text() const;
  // With this setting in place of any other of the key.
  CommandWords with(const std::string& key, double value) const;
};

}  // namespace espalier
