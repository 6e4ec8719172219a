// SPDX-License-Identifier: Apache-2.0
// The program that carries runs on, beside the one that plans: nobody who only plans waits for gRPC
// to be loaded.
#include "cli/cli.h"
#include "net/server.h"
#include "runner/run_command.h"

int main(int argc, char** argv) {
  espalier::keep_memory_small();
  espalier::allow_many_connections();
  return espalier::run_cli(argc, argv, [](CLI::App& app, espalier::Invocation& call) {
    espalier::add_real_run_command(app, call);
    espalier::add_real_resume_command(app, call);
  });
}
