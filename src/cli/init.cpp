// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/commands.h"
#include "core/error.h"
#include "io/wording.h"
#include "render/init_report.h"
#include "studies/examples.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
  std::string where;
  std::string example = "smart-factory";
  bool list = false;
  bool force = false;
};

// A path that ends like a scenario is a file; everything else is a folder.
fs::path target_of(const InitOptions& options) {
  const fs::path where = options.where.empty() ? "." : options.where;
  const std::string ending = where.extension().string();
  const bool is_file =
      (ending == ".yaml" || ending == ".yml" || ending == ".json") && !fs::is_directory(where);
  return is_file ? where : (where / (options.example + ".yaml")).lexically_normal();
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why,
                         const std::string& hint = "") {
  throw Error(ErrorCode::BadInput, "'" + shown(path.string()) + "' " + why, hint);
}

void write_new(const fs::path& path, const std::string& text, bool force) {
  std::error_code failure;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  if (failure) refuse(path, "cannot be written: " + failure.message());
  // 'x': fails if the file is there, even if it appeared this very moment.
  std::FILE* file = std::fopen(path.c_str(), force ? "w" : "wx");
  if (!file && errno == EEXIST)
    refuse(path, "is there already", "write to another place, or use --force to replace it");
  if (!file) refuse(path, std::string("cannot be written: ") + std::strerror(errno));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) != 0 || !written) refuse(path, "could not be written completely");
}

ExitCode list_examples(const Console& console) {
  std::vector<ListedExample> listed_examples;
  for (const Example& example : all_examples())
    listed_examples.push_back({example.name, summary_of(example)});
  console.answer(console.format() == Format::Json ? examples_document(listed_examples)
                                                  : examples_text(listed_examples, console.ink()));
  return ExitCode::Done;
}

ExitCode init(const InitOptions& options, const Console& console) {
  if (options.list) return list_examples(console);
  const Example& example = example_named(options.example);
  const fs::path path = target_of(options);
  write_new(path, example.text, options.force);
  const InitReport report{path.string(), example.name, summary_of(example)};
  console.answer(console.format() == Format::Json ? init_document(report)
                                                  : init_text(report, console.ink()));
  return ExitCode::Done;
}

}  // namespace

void add_init_command(CLI::App& app, Invocation& call) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* command = app.add_subcommand("init", "write a scenario that runs at once");
  command
      ->add_option("WHERE", options->where,
                   "a folder, or a file that ends in .yaml; here if absent")
      ->type_name("");
  command->add_option("--example", options->example, "which one; smart-factory if absent")
      ->type_name("NAME");
  command->add_flag("--list", options->list, "name the examples, write nothing");
  command->add_flag("--force", options->force, "replace a file that is there");
  add_output_options(*command, call.output);
  command->callback([options, &call] {
    call.action = [options](const Console& console) { return init(*options, console); };
  });
}

}  // namespace espalier
