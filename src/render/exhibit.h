// SPDX-License-Identifier: Apache-2.0
// Evidence as plain data: charts, tables, and claims with what came of them. Whoever computes it
// knows nothing of pages, whoever draws it nothing of what it is about.
#pragma once

#include <cstddef>
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
};

struct Exhibit {
  std::string id{};  // "fig6"
  std::string title{};
  std::vector<std::string> words{};
  std::vector<Chart> charts{};
  std::vector<BarChart> bars{};
  std::vector<Sheet> sheets{};
};

// What a paper says, and what was found.
struct Claim {
  std::string figure{};  // the exhibit that shows it
  std::string source{};  // "PACT, fig. 6"
  std::string says{};
  std::string found{};  // in words, with figures
  bool holds = false;
  // By how much, in the unit of `found`: how far on the right side of the bound, or, negative, on
  // the wrong one.
  double margin = 0;
  std::string unit{};  // of the margin: "%", "epochs"
};

}  // namespace espalier
