// SPDX-License-Identifier: Apache-2.0
#include "cli/input.h"

#include <filesystem>

#include "core/error.h"
#include "core/near_miss.h"
#include "estimation/forecaster_file.h"
#include "io/wording.h"
#include "replay/rule_files.h"

namespace espalier {
namespace {

ModelId model_named(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.models.size(); ++i) {
    if (scenario.models[i].name == name) return {static_cast<std::int32_t>(i)};
    names.push_back(scenario.models[i].name);
  }
  throw Error(ErrorCode::BadInput,
              "--bias names an unknown model '" + shown(name) + "'" + did_you_mean(name, names),
              "the models are " + listed(names));
}

// A bias may make a rule so quick that a lower loss becomes worse, which no strategy expects.
void refuse_unruly(const Problem& problem, const std::string& bias) {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PlacementId p{static_cast<std::int32_t>(i)};
    const auto& rule = problem.training(p).rule;
    const double tame = std::min(rule.expected.monotone_up_to(), rule.robust.monotone_up_to());
    if (tame >= problem.ceiling()) continue;
    throw Error(ErrorCode::BadInput,
                "--bias " + shown(bias) + " makes " + shown(problem.name_of(p)) +
                    " learn so fast that a higher loss would end lower",
                "take a smaller bias");
  }
}

// The estimators of the command line, or those that the scenario names; nothing without either.
std::shared_ptr<const FittedBeliefs> beliefs_of(const Scenario& scenario,
                                                const InputOptions& options) {
  const auto named = fitted_file_of(scenario);
  if (options.fitted.empty() && !named) return nullptr;
  const std::filesystem::path folder = std::filesystem::path(options.file).parent_path();
  const auto path =
      options.fitted.empty() ? folder / *named : std::filesystem::path(options.fitted);
  return std::make_shared<const FittedBeliefs>(scenario, load_forecaster(path));
}

Problem with_biases(Problem problem, const Scenario& scenario,
                    const std::vector<std::string>& biases) {
  for (const std::string& text : biases) {
    const Bias bias = parse_bias(text);
    problem = problem.with_bias(model_named(scenario, bias.model), bias.share);
    refuse_unruly(problem, text);
  }
  return problem;
}

}  // namespace

Input load_input(const InputOptions& options, const std::vector<Setting>& extra) {
  if (options.file.empty()) {
    throw Error(ErrorCode::BadInput, "a scenario file is needed",
                "'espalier init' writes one that runs at once");
  }
  std::vector<Setting> settings;
  for (const std::string& text : options.settings) settings.push_back(parse_setting(text));
  settings.insert(settings.end(), extra.begin(), extra.end());
  const std::filesystem::path file = options.file;
  Scenario scenario = with_rules_read(load_scenario(file, settings), file.parent_path());
  refuse_unmeasured(scenario, options.file);
  auto beliefs = beliefs_of(scenario, options);
  if (beliefs) scenario = beliefs->at_start();
  Problem problem = with_biases(Problem::estimated(scenario), scenario, options.biases);
  return {std::move(scenario), std::move(problem), !options.biases.empty(),
          CommandWords{options.file, options.settings, options.biases, options.fitted},
          std::move(beliefs)};
}

}  // namespace espalier
