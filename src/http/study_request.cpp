// SPDX-License-Identifier: Apache-2.0
#include "http/study_request.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/strict_json.h"
#include "io/wording.h"
#include "render/figures.h"
#include "studies/plan_study.h"

namespace espalier {
namespace {

using nlohmann::json;
using Reader = std::function<void(StudyRequest&, const json&, const JsonPlace&)>;

constexpr std::size_t kMostSettings = 100;
constexpr std::size_t kMostFileName = 200;
constexpr std::int64_t kMostRunsAsked = 10'000;

std::string file_name(const json& value, const JsonPlace& place) {
  const std::string text = json_text(value, place);
  if (text.empty() || text.size() > kMostFileName) place.fail("must have 1 to 200 bytes");
  return text;
}

double step(const json& value, const JsonPlace& place) {
  const double number = json_number(value, place);
  if (!(number >= 0) || !std::isfinite(number)) place.fail("must be a number ≥ 0");
  return number;
}

std::string setting_text(const json& value, const JsonPlace& place) {
  return value.is_number() ? exact_figure(json_number(value, place)) : json_text(value, place);
}

std::vector<Setting> settings(const json& value, const JsonPlace& place) {
  if (!value.is_object()) place.fail("must be an object", R"(as in {"goal.loss": 0.2})");
  if (value.size() > kMostSettings) place.fail("has more than 100 settings");
  std::vector<Setting> all;
  for (const auto& [key, text] : value.items())
    all.push_back({key, setting_text(text, place.key(key))});
  return all;
}

std::vector<std::string> names(const json& value, const JsonPlace& place) {
  std::vector<std::string> all;
  for (const json& name : json_array(value, place))
    all.push_back(json_text(name, place.item(all.size())));
  return all;
}

std::int64_t count(const json& value, const JsonPlace& place, std::int64_t most) {
  const std::int64_t number = json_integer(value, place);
  if (number < 0 || number > most) place.fail("must be between 0 and " + std::to_string(most));
  return number;
}

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all{
      {"scenario", [](auto& r, auto& v, auto& p) { r.scenario = json_text(v, p); }},
      {"file", [](auto& r, auto& v, auto& p) { r.file = file_name(v, p); }},
      {"settings", [](auto& r, auto& v, auto& p) { r.settings = settings(v, p); }},
      {"strategy", [](auto& r, auto& v, auto& p) { r.strategy = json_text(v, p); }},
      {"estimator", [](auto& r, auto& v, auto& p) { r.estimator = json_text(v, p); }},
      {"explain", [](auto& r, auto& v, auto& p) { r.explain = json_flag(v, p); }},
      {"alternatives", [](auto& r, auto& v, auto& p) { r.alternatives = json_flag(v, p); }},
      {"axis", [](auto& r, auto& v, auto& p) { r.axis = json_text(v, p); }},
      {"loss_step", [](auto& r, auto& v, auto& p) { r.loss_step = step(v, p); }},
      {"time_step", [](auto& r, auto& v, auto& p) { r.time_step = step(v, p); }},
      {"strategies", [](auto& r, auto& v, auto& p) { r.strategies = names(v, p); }},
      {"runs", [](auto& r, auto& v, auto& p) { r.runs = count(v, p, kMostRunsAsked); }},
      {"seed",
       [](auto& r, auto& v, auto& p) {
         r.seed = static_cast<std::uint64_t>(count(v, p, std::int64_t{1} << 53));
       }},
  };
  return all;
}

void refuse_rule_files(const Scenario& scenario) {
  const auto in_file = [](const auto& run) {
    return std::holds_alternative<RuleFile>(run.learn.rule);
  };
  if (std::none_of(scenario.runs.begin(), scenario.runs.end(), in_file) &&
      std::none_of(scenario.truth.runs.begin(), scenario.truth.runs.end(), in_file))
    return;
  throw Error(ErrorCode::BadInput, "the scenario takes its learning rules from a file",
              "the dashboard reads no files that a scenario names; 'espalier plan FILE' does");
}

}  // namespace

StudyRequest parse_study_request(const std::string& body, const std::vector<std::string>& keys) {
  const json document = parse_strict_json(body, "the request", 8);
  const JsonPlace place{"the request", ""};
  if (!document.is_object()) place.fail("must be an object");
  std::vector<std::string> known{"scenario", "file", "settings"};
  known.insert(known.end(), keys.begin(), keys.end());
  StudyRequest request;
  for (const auto& [key, value] : document.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      place.key(key).fail("is unknown here" + did_you_mean(key, known));
    readers().at(key)(request, value, place.key(key));
  }
  if (!document.contains("scenario")) place.key("scenario").fail("is missing");
  return request;
}

ScenarioReading read_scenario_of(const StudyRequest& request) {
  return read_scenario(request.scenario, request.file, request.settings);
}

Input input_of(const StudyRequest& request) {
  ScenarioReading reading = read_scenario_of(request);
  for (const Diagnostic& d : reading.diagnostics) {
    if (d.severity == Diagnostic::Severity::Error)
      throw Error(ErrorCode::BadInput, d.text(), d.hint);
  }
  ESPALIER_CHECK(reading.scenario.has_value());
  refuse_rule_files(*reading.scenario);
  refuse_unmeasured(*reading.scenario, request.file);
  CommandWords words{request.file};
  for (const Setting& setting : request.settings)
    words.settings.push_back(setting.key + "=" + setting.value);
  Problem problem = Problem::estimated(*reading.scenario);
  return {std::move(*reading.scenario), std::move(problem), false, std::move(words), nullptr};
}

PlannerOptions planner_options_of(const StudyRequest& request) {
  PlannerOptions options;
  if (!request.estimator.empty()) options.estimator = parse_estimator(request.estimator);
  options.loss_step = Loss{request.loss_step};
  options.time_step = Seconds{request.time_step};
  return options;
}

}  // namespace espalier
