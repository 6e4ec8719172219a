// SPDX-License-Identifier: Apache-2.0
// Starts local agents as an orchestrator does, and waits until it is killed.
//   local_agents_host TRAINER SCENARIO FOLDER ADDRESS CERTIFICATES
#include <cstdio>
#include <string>
#include <unistd.h>

#include "io/scenario_file.h"
#include "node/local_agents.h"

int main(int argc, char** argv) {
  if (argc != 6) return 4;
  using namespace espalier;
  LocalAgentsOptions options;
  options.program = argv[1];
  options.scenario = argv[2];
  options.folder = argv[3];
  options.address = argv[4];
  options.certificates_of = [&](const std::string& name) {
    return std::filesystem::path(argv[5]) / "nodes" / name;
  };
  const LocalAgents agents(local_agents_of(load_scenario(argv[2])), options,
                           [](const AgentNews& news) {
                             std::printf("%s %s\n", news.name.c_str(), news.what.c_str());
                             std::fflush(stdout);
                           });
  for (;;) ::pause();
}
