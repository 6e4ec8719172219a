// SPDX-License-Identifier: Apache-2.0
#include "io/learn_reader.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace espalier {
namespace {

constexpr Count kPoints{1, 10'000};
constexpr std::array<std::string_view, 5> kRuleKeys{"rate", "steps", "curve", "traces", "fitted"};

const KeySchema& learn_key(std::string_view key) { return *schema_of(Shape::Learn).find(key); }

std::vector<double> read_numbers(const Field& list, const KeySchema& key, Report& report) {
  std::vector<double> numbers;
  for_each_item(list, kPoints, report, [&](const Field& item) {
    if (const auto number = read_number(item, key, report)) numbers.push_back(*number);
  });
  return numbers;
}

StepsRule read_steps(const Field& field, Report& report) {
  return {read_numbers(field, learn_key("steps"), report)};
}

CurveRule read_curve(const Field& field, Report& report) {
  CurveRule curve{read_numbers(field, learn_key("curve"), report)};
  const auto& points = curve.points;
  if (points.empty() || points.size() != field.node->items.size()) return curve;
  if (points.size() == 1) {
    report.error(field, "has one point; a curve needs two or more",
                 "write, for example, [2.3, 1.2, 0.7]");
    return curve;
  }
  const auto rise = std::adjacent_find(points.begin(), points.end(), std::less_equal<>());
  if (rise != points.end()) {
    const auto index = static_cast<std::size_t>(rise - points.begin());
    report.error(field.item(index + 1),
                 fmt::format("is {}, after {}; a curve must fall from point to point",
                             points[index + 1], points[index]),
                 "remove points that do not fall; training that no longer helps ends the curve");
  }
  return curve;
}

RuleFile read_rule_file(const Field& field, RuleFile::Kind kind, Report& report) {
  return {kind, read_file_name(field, "traces.csv", report)};
}

// The keys of kRuleKeys that the map has.
std::vector<std::string> rules_in(const MapReader& map) {
  std::vector<std::string> keys;
  for (const std::string_view key : kRuleKeys) {
    if (map.has(key)) keys.emplace_back(key);
  }
  return keys;
}

void report_no_rule(const MapReader& map, Report& report) {
  const bool is_slip = std::any_of(kRuleKeys.begin(), kRuleKeys.end(),
                                   [&](std::string_view key) { return map.is_misspelt(key); });
  if (is_slip || !map.is_map()) return;
  if (map.has("floor") || map.has("power")) {
    return report.error(map.field().node->mark, map.field().path_of("rate"), "is missing",
                        "write, for example, rate: 0.08");
  }
  report.error(map.field(), "gives no rule",
               "give rate (with floor and power), or steps, or curve: {rate: 0.08, floor: 0.02}");
}

// The one rule of the map; nothing if it has none or more, which is reported.
std::optional<std::string> sole_rule(const MapReader& map, Report& report) {
  const std::vector<std::string> rules = rules_in(map);
  if (rules.empty()) {
    report_no_rule(map, report);
    return std::nullopt;
  }
  if (rules.size() > 1) {
    report.error(map.field(), fmt::format("gives both {} and {}", rules[0], rules[1]),
                 "keep one rule");
    return std::nullopt;
  }
  for (const std::string_view key : {"floor", "power"}) {
    const DocumentNode* node = map.field().node->find(key);
    if (node == nullptr || rules[0] == "rate") continue;
    report.error(node->mark, map.field().path_of(key),
                 fmt::format("goes with rate, not with {}", rules[0]), "remove it");
  }
  return rules[0];
}

RuleShape read_shape(const MapReader& map, const std::string& rule, Report& report) {
  if (rule == "steps") return read_steps(*map.value("steps"), report);
  if (rule == "curve") return read_curve(*map.value("curve"), report);
  return PowerRule{map.number("rate"), map.number("floor"), map.number("power")};
}

NoiseSpec read_noise(const Field& field, Report& report) {
  const MapReader map(field, Shape::Noise, report);
  return {map.number("run"), map.number("epoch")};
}

Jump read_one_jump(const Field& field, Report& report) {
  if (field.node->kind != DocumentNode::Kind::Map) {
    const KeySchema& add = *schema_of(Shape::Jump).find("add");
    return {.add = read_number(field, add, report).value_or(0)};
  }
  const MapReader map(field, Shape::Jump, report);
  return {map.number("add"), map.number("scale")};
}

}  // namespace

LearnSpec read_learn(const Field& field, Report& report) {
  const MapReader map(field, Shape::Learn, report);
  LearnSpec learn{};
  const auto rule = map.is_map() ? sole_rule(map, report) : std::nullopt;
  if (rule == "traces") {
    learn.rule = read_rule_file(*map.value("traces"), RuleFile::Kind::Traces, report);
  } else if (rule == "fitted") {
    learn.rule = read_rule_file(*map.value("fitted"), RuleFile::Kind::Fitted, report);
  } else if (rule) {
    learn.rule = read_shape(map, *rule, report);
  }
  if (const auto noise = map.value("noise")) learn.noise = read_noise(*noise, report);
  if (const auto robust = map.value("robust")) {
    const MapReader robust_map(*robust, Shape::Robust, report);
    const auto robust_rule = robust_map.is_map() ? sole_rule(robust_map, report) : std::nullopt;
    if (robust_rule) learn.robust = read_shape(robust_map, *robust_rule, report);
  }
  return learn;
}

JumpSpec read_jump(const MapReader& row, Report& report) {
  JumpSpec jump;
  if (const auto field = row.value("jump")) jump.expected = read_one_jump(*field, report);
  jump.noise = row.number("jump_noise");
  if (row.has("jump_robust")) jump.robust = read_one_jump(*row.value("jump_robust"), report);
  return jump;
}

}  // namespace espalier
