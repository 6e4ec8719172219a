// SPDX-License-Identifier: Apache-2.0
#include "cli/usage.h"

#include <CLI/CLI.hpp>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"

namespace espalier {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-')) return;
  const std::vector<std::string> names = command_names(app);
  if (std::find(names.begin(), names.end(), words.front()) != names.end()) return;
  throw Error(ErrorCode::BadInput,
              "unknown command '" + shown(words.front()) + "'" + did_you_mean(words.front(), names),
              "the commands are " + listed(names) + "; 'espalier --help' describes them");
}

void refuse_leftovers(const CLI::App& command) {
  const std::vector<std::string> left = command.remaining();
  if (left.empty()) return;
  const auto is_option = [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
  };
  const auto found = std::find_if(left.begin(), left.end(), is_option);
  const std::string hint = "'espalier " + command.get_name() + " --help' lists what it takes";
  if (found == left.end()) {
    throw Error(ErrorCode::BadInput,
                command.get_name() + " does not know what to do with '" + shown(left.front()) + "'",
                hint);
  }
  const std::string name = found->substr(0, found->find('='));
  throw Error(ErrorCode::BadInput,
              command.get_name() + " has no option '" + shown(name) + "'" +
                  did_you_mean(name, option_names(command)),
              hint);
}

bool asks_for_json(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with("--format=json")) return true;
    if (words[i] == "--format" && i + 1 < words.size() && words[i + 1].starts_with("json"))
      return true;
  }
  return false;
}

bool asks_for_lines(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--format=jsonl" ||
        (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "jsonl"))
      return true;
  return false;
}

}  // namespace espalier
