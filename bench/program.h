// SPDX-License-Identifier: Apache-2.0
// A benchmark as a program: its options, what it does, and how that ends.
#pragma once

#include <CLI/CLI.hpp>

#include "report.h"

namespace espalier::bench {

// `Settings` has defaults and a string `json`, for which there is an option always. Returns the
// exit code of main().
template <class Settings>
int run_program(int argc, char** argv, const char* about,
                void (*add_options)(CLI::App& app, Settings& settings),
                int (*run)(const Settings& settings)) {
  return exit_code_of([&] {
    CLI::App app(about);
    Settings settings;
    add_options(app, settings);
    app.add_option("--json", settings.json, "also write the result to this file");
    CLI11_PARSE(app, argc, argv);
    return run(settings);
  });
}

}  // namespace espalier::bench
