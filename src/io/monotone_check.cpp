// SPDX-License-Identifier: Apache-2.0
// Planning may drop a state that another one beats in loss, time and energy. That is right only if
// a lower loss never ends higher: every rule must be monotone over all losses that can occur.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "core/problem.h"
#include "io/scenario_check.h"

namespace espalier {
namespace {

enum class View { Estimates, Truth };

// A rule that is not monotone up to where it must be.
struct TooSteep {
  double rate;     // that it has
  double allowed;  // the largest rate that would do
  double limit;    // monotone up to here
};

// Rounded down to three digits, so that the advice is safe to follow.
double rounded_down(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 0;
  const double digit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::floor(value / digit) * digit;
}

// Without what makes no difference to the rules, or cannot be evaluated yet.
Scenario bare(Scenario scenario) {
  const auto replace = [](LearnSpec& learn) {
    if (std::holds_alternative<RuleFile>(learn.rule)) learn.rule = RuleShape(PowerRule{});
  };
  for (RunSpec& run : scenario.runs) replace(run.learn);
  for (TrueRunSpec& run : scenario.truth.runs) replace(run.learn);
  for (NodeSetSpec& set : scenario.node_sets) set.levels.clear();
  return scenario;
}

class MonotoneCheck {
 public:
  MonotoneCheck(const Scenario& scenario, View view, PathReport& report)
      : scenario_(scenario), view_(view), report_(report) {}

  // Says nothing again that was said before.
  void run(std::set<std::string>& said) {
    const Problem rules =
        view_ == View::Truth ? Problem::actual(scenario_) : Problem::estimated(scenario_);
    ceiling_ = rules.ceiling();
    if (!std::isfinite(ceiling_)) {
      if (said.insert("start.loss").second)
        report_.error("start.loss", "can be raised beyond any number by jumps and steps",
                      "look for a jump's scale, or steps, that are far too large");
      return;
    }
    for (const Training& t : rules.placements()) {
      if (t.possible) check(t, row_of(t.at));
    }
    for (const auto& [path, rule] : too_steep_) {
      if (said.insert(path).second) complain(path, rule);
    }
  }

 private:
  std::size_t row_of(const Placement& at) const {
    const auto row = std::find_if(
        scenario_.runs.begin(), scenario_.runs.end(),
        [&](const RunSpec& run) { return run.model == at.model && run.nodes == at.nodes; });
    return static_cast<std::size_t>(row - scenario_.runs.begin());
  }

  void check(const Training& training, std::size_t row) {
    check(training.rule.expected, path_of(row) + ".learn", training);
    const bool has_own_robust = view_ == View::Estimates && scenario_.runs[row].learn.robust;
    if (has_own_robust) check(training.rule.robust, path_of(row) + ".learn.robust", training);
  }

  void check(const LearningRule& rule, const std::string& path, const Training& training) {
    if (rule.monotone_up_to() >= ceiling_) return;
    if (const auto* power = std::get_if<PowerRule>(&rule.shape())) {
      const double span = ceiling_ - power->floor;
      const double allowed = 1 / (rule.factor() * power->power * std::pow(span, power->power - 1));
      keep_worst(path + ".rate", {power->rate, allowed, rule.monotone_up_to()});
    } else {
      const NodeSetSpec& set = scenario_.node_sets[training.at.nodes.pos()];
      const DataOptionSpec& option = set.data_options[training.at.data.pos()];
      keep_worst(fmt::format("data.{}.{}.rate", set.name, option.name),
                 {option.rate, 1, rule.monotone_up_to()});
    }
  }

  void keep_worst(const std::string& path, const TooSteep& rule) {
    const auto [known, is_new] = too_steep_.emplace(path, rule);
    if (!is_new && rule.allowed < known->second.allowed) known->second = rule;
  }

  void complain(const std::string& path, const TooSteep& rule) {
    report_.error(
        path,
        fmt::format("is {}; above a loss of {:.4g} an epoch would leave a higher loss below "
                    "a lower one, and losses up to {:.4g} can occur",
                    rule.rate, rule.limit, ceiling_),
        fmt::format("write at most {:.3g}", rounded_down(rule.allowed)));
  }

  std::string path_of(std::size_t row) const {
    const auto& truth = scenario_.truth.runs;
    const RunSpec& run = scenario_.runs[row];
    const auto own = std::find_if(truth.begin(), truth.end(), [&](const TrueRunSpec& t) {
      return t.model == run.model && t.nodes == run.nodes;
    });
    if (view_ == View::Estimates || own == truth.end()) return fmt::format("run[{}]", row);
    return fmt::format("truth.run[{}]", own - truth.begin());
  }

  const Scenario& scenario_;
  const View view_;
  PathReport& report_;
  double ceiling_ = 0;
  std::map<std::string, TooSteep> too_steep_;
};

}  // namespace

void check_monotone(const Scenario& scenario, Rules rules, PathReport& report) {
  const Scenario plain = bare(scenario);
  std::set<std::string> said;
  MonotoneCheck(plain, View::Estimates, report).run(said);
  const bool has_truth = !scenario.truth.runs.empty() || !scenario.truth.jumps.empty();
  if (has_truth && rules == Rules::OfEverything)
    MonotoneCheck(plain, View::Truth, report).run(said);
}

}  // namespace espalier
