// SPDX-License-Identifier: Apache-2.0
#include "cli/run_settings.h"

#include <ctime>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "core/error.h"
#include "energy/local_device.h"
#include "io/durable_write.h"
#include "io/strict_json.h"
#include "io/text_file.h"
#include "io/wording.h"
#include "orchestrator/journal.h"
#include "render/json.h"
#include "studies/suitability.h"
#include "wire/names.h"

namespace espalier {
namespace {

constexpr std::size_t kLargestSettings = std::size_t{1} << 20U;
constexpr int kSettingsDepth = 4;

std::int64_t memory_of_this_machine() {
  return std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
}

Json environment() {
  const LocalDevice machine = find_local_device();
  utsname system{};
  ::uname(&system);
  return {{"program", "espalier " ESPALIER_VERSION},
          {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
          {"host", system.nodename},
          {"processor", machine.model},
          {"cores", machine.processors},
          {"memory_bytes", memory_of_this_machine()},
          {"compiler", __VERSION__},
          {"grpc", ESPALIER_GRPC_VERSION},
          {"sqlite", sqlite_version()},
          {"begun", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))}};
}

std::string text_in(const RunDirectory& directory) {
  auto text = read_text_file(directory.settings(), kLargestSettings);
  if (const auto* fault = std::get_if<FileFault>(&text))
    throw Error(ErrorCode::BadInput, directory.settings().string() + ": " + fault->what,
                "name the folder of a run");
  return std::get<std::string>(std::move(text));
}

// Before anything else is read: other versions may have other settings, too.
void refuse_other_rules(const nlohmann::json& value, const std::string& source) {
  const auto rules = value.is_object() ? value.find("rules") : value.end();
  if (rules != value.end() && *rules == kRunRules) return;
  throw Error(
      ErrorCode::BadInput,
      source + ": another version of espalier began this run and reads its journal differently",
      "use that version, or begin anew; metrics.csv, events.jsonl and models/ can be read as "
      "they are");
}

RunSettings settings_from(const nlohmann::json& value, const std::string& source) {
  refuse_other_rules(value, source);
  JsonObject map(value, {source, ""});
  RunSettings settings;
  const auto text = [&](const char* key) { return json_text(map.at(key), map.place(key)); };
  const auto number = [&](const char* key) { return json_number(map.at(key), map.place(key)); };
  const auto whole = [&](const char* key) { return json_integer(map.at(key), map.place(key)); };
  const auto flag = [&](const char* key) { return json_flag(map.at(key), map.place(key)); };
  settings.run = text("run");
  settings.strategy = text("strategy");
  settings.planner.estimator = text("estimator");
  settings.planner.loss_step = number("loss_step");
  settings.planner.time_step = number("time_step");
  settings.planner.ignores_risk = flag("no_risk");
  settings.planner.irreversible_risk = number("irreversible_risk");
  settings.planner.margin = text("margin");
  settings.seed = static_cast<std::uint64_t>(whole("seed"));
  settings.patience = number("patience");
  settings.give_up = number("give_up");
  settings.distil = static_cast<int>(whole("distil"));
  settings.trainer = text("trainer");
  settings.listen = text("listen");
  settings.certificates = text("certificates");
  settings.is_fitted = flag("fitted");
  settings.rules = static_cast<int>(whole("rules"));
  map.at("environment");
  map.finish();
  if (!is_wire_name(settings.run)) throw Error(ErrorCode::BadInput, source + ": run is no name");
  return settings;
}

void refuse_untrainable(const Scenario& scenario, const std::string& file) {
  if (scenario.training) return;
  throw Error(ErrorCode::BadInput, "'" + shown(file) + "' does not say what is trained",
              "add a training section: docs/scenario.md tells its keys");
}

}  // namespace

std::string settings_text(const RunSettings& settings) {
  const Json value{{"run", settings.run},
                   {"strategy", settings.strategy},
                   {"estimator", settings.planner.estimator},
                   {"loss_step", settings.planner.loss_step},
                   {"time_step", settings.planner.time_step},
                   {"no_risk", settings.planner.ignores_risk},
                   {"irreversible_risk", settings.planner.irreversible_risk},
                   {"margin", settings.planner.margin},
                   {"seed", settings.seed},
                   {"patience", settings.patience},
                   {"give_up", settings.give_up},
                   {"distil", settings.distil},
                   {"trainer", settings.trainer},
                   {"listen", settings.listen},
                   {"certificates", settings.certificates},
                   {"fitted", settings.is_fitted},
                   {"rules", settings.rules},
                   {"environment", environment()}};
  return value.dump(1) + "\n";
}

RunSettings parse_settings(std::string_view text, const std::string& source) {
  return settings_from(parse_strict_json(text, source, kSettingsDepth), source);
}

RunSettings load_settings(const RunDirectory& directory) {
  return parse_settings(text_in(directory), directory.settings().string());
}

void keep_address(const RunDirectory& directory, const std::string& address) {
  const std::string source = directory.settings().string();
  nlohmann::json value = parse_strict_json(text_in(directory), source, kSettingsDepth);
  if (value.at("listen") == address) return;
  value["listen"] = address;
  write_durably(directory.settings(), value.dump(1) + "\n");
}

const Strategy& LoadedRun::strategy() const {
  return strategy_of(settings.strategy, settings.planner);
}

Advising LoadedRun::advising() const {
  return {strategy(), planner_options(settings.planner), input.beliefs};
}

LoadedRun load_run(const RunDirectory& directory) {
  RunSettings settings = load_settings(directory);
  InputOptions options;
  options.file = directory.scenario().string();
  if (settings.is_fitted) options.fitted = directory.fitted().string();
  Input input = load_input(options);
  refuse_untrainable(input.scenario, options.file);
  refuse_unsuitable(input.scenario, strategy_of(settings.strategy, settings.planner).info());
  const bool is_local = settings.listen.empty();
  RunSetup setup{settings.run,
                 input.scenario,
                 without_growing(input.estimated, input.scenario),
                 settings.seed,
                 is_local ? Accounting::Modelled : Accounting::Measured,
                 expected_nodes(input.scenario),
                 !is_local,
                 settings.distil,
                 {Seconds{settings.patience}, Seconds{settings.give_up}}};
  return {std::move(settings), std::move(input), std::move(setup)};
}

}  // namespace espalier
