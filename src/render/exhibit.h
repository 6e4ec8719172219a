// SPDX-License-Identifier: Apache-2.0
// Evidence as plain data: charts, tables, and claims with what came of them. Whoever computes it
// knows nothing of pages, whoever draws it nothing of what it is about.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace espalier {

struct ChartPoint {
  double x = 0;
  double y = 0;  // not a number: the line is broken here
  // Over seeds, as a rule. Absent: no band.
  std::optional<double> low{};
  std::optional<double> high{};
};

struct ChartSeries {
  enum class Mark { Line, Dashed, Dots };
  std::string name{};  // empty: not in the legend
  std::vector<ChartPoint> points{};
  std::size_t colour = 0;  // 0 to 7; further ones repeat
  Mark mark = Mark::Line;
};

struct Chart {
  std::string title{};
  std::string about{};
  std::string x_name{};  // with its unit
  std::string y_name{};
  std::vector<ChartSeries> series{};
  std::optional<double> level{};  // a dashed line across
  std::optional<double> limit{};  // a dashed line upright
  bool has_diagonal = false;
};

// Bars of stacked parts.
struct BarChart {
  struct Bar {
    std::string name{};
    std::vector<double> parts{};  // as many as `parts` of the chart
  };
  struct Group {
    std::string name{};
    std::vector<Bar> bars{};
  };
  std::string title{};
  std::string about{};
  std::string y_name{};
  std::vector<std::string> parts{};
  std::vector<Group> groups{};
};

using SheetCell = std::variant<std::string, double>;

// A table of the page, and a CSV beside it.
struct Sheet {
  std::string name{};  // of the CSV, without its ending
  std::vector<std::string> columns{};
  std::vector<std::vector<SheetCell>> rows{};
  bool is_shown = true;  // otherwise only the CSV is written
  // Of `rows`, those that the page shows; empty: all.
  std::vector<std::size_t> rows_on_page{};
};

struct Exhibit {
  std::string id{};  // "fig6"
  std::string title{};
  std::vector<std::string> words{};
  std::vector<Chart> charts{};
  std::vector<BarChart> bars{};
  std::vector<Sheet> sheets{};
};

// Unsaid: there was nothing to compare, or nothing that could have shown it.
enum class ClaimVerdict { Holds, Fails, Unsaid };

constexpr ClaimVerdict verdict_if(bool can_be_said, bool holds) {
  if (!can_be_said) return ClaimVerdict::Unsaid;
  return holds ? ClaimVerdict::Holds : ClaimVerdict::Fails;
}

inline constexpr double kNoMargin = std::numeric_limits<double>::quiet_NaN();

// What a paper says, and what was found.
struct Claim {
  std::string figure{};  // the exhibit that shows it
  std::string source{};  // "PACT, fig. 6"
  std::string says{};
  std::string found{};  // in words, with figures
  ClaimVerdict verdict = ClaimVerdict::Unsaid;
  // By how much, in the unit of `found`: how far on the right side of the bound, or, negative, on
  // the wrong one. Not a number where there is none.
  double margin = kNoMargin;
  std::string unit{};  // of the margin: "%", "epochs"

  bool holds() const { return verdict == ClaimVerdict::Holds; }
  bool is_said() const { return verdict != ClaimVerdict::Unsaid; }
};

// The same claim, where nothing can be said of it, and why.
Claim unsaid(Claim claim, const std::string& why);

struct ClaimCount {
  std::size_t holds = 0;
  std::size_t said = 0;  // those that hold, and those that do not
  std::size_t unsaid = 0;
};
ClaimCount count_claims(const std::vector<Claim>& claims);
// "26 of 48 hold, 9 cannot be said"
std::string count_text(const ClaimCount& count);

}  // namespace espalier
