// SPDX-License-Identifier: Apache-2.0
// A dashboard with made-up runs: for tests in a browser and for looking at it.
//   espalier-played-dashboard [PACE_MS [LONG_EPOCHS]]
// prints its address and ends when its standard input does.
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "fakes/played_runs.h"
#include "http/dashboard.h"
#include "io/scenario_file.h"

namespace espalier {
namespace {

Scenario scenario_in(const char* file, std::vector<Setting> settings = {}) {
  return load_scenario(file, settings);
}

Play long_play(int epochs) {
  std::vector<Setting> slow{{"goal.deadline", "100000"}};
  const double rates[] = {0.08, 0.06, 0.04};
  for (int i = 0; i < 3; ++i)
    slow.push_back(
        {"run[" + std::to_string(i) + "].learn.rate", std::to_string(rates[i] * 117.0 / epochs)});
  return {.name = "long",
          .scenario = scenario_in("examples/smart-factory.yaml", slow),
          .plan_every = 50};
}

int play(int pace_ms, int long_epochs) {
  PlayedRuns shelf{std::chrono::milliseconds(pace_ms)};
  const Scenario noisy = scenario_in("examples/noisy-factory.yaml", {{"goal.loss", "0.3"}});
  shelf.add({.name = "factory-1",
             .scenario = noisy,
             .lost_node = "silver-2",
             .extra_node = "<script>alert(1)</script>"});
  shelf.add({.name = "factory-2", .scenario = noisy, .seed = 2, .luck = 0.1});
  shelf.add({.name = "factory-3", .scenario = noisy, .seed = 3, .outcome = RunOutcome::Stopped});
  if (long_epochs > 0) shelf.add(long_play(long_epochs));
  const Dashboard dashboard(shelf, {});
  std::cout << "http://127.0.0.1:" << dashboard.port() << "/" << std::endl;
  for (std::string line; std::getline(std::cin, line);) continue;
  return 0;
}

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
  return espalier::play(argc > 1 ? std::stoi(argv[1]) : 100, argc > 2 ? std::stoi(argv[2]) : 0);
}
