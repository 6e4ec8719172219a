// SPDX-License-Identifier: Apache-2.0
#include "cli/picture.h"

#include <fstream>

#include "core/error.h"
#include "io/wording.h"
#include "render/graph_drawing.h"
#include "render/plan_drawing.h"
#include "render/state_graph.h"

namespace espalier {
namespace {

// Both pictures of one thing; nullptr where one was not asked for.
template <class DrawSvg, class DrawDot>
PictureTargets put_both(const PictureOptions& options, const Console& console, DrawSvg svg,
                        DrawDot dot) {
  PictureTargets targets = PictureTargets::Files;
  if (!options.svg.empty() && put(options.svg, svg(), console) == PictureTargets::Stdout)
    targets = PictureTargets::Stdout;
  if (!options.dot.empty() && put(options.dot, dot(), console) == PictureTargets::Stdout)
    targets = PictureTargets::Stdout;
  return targets;
}

PictureTargets draw_graph(const PictureOptions& options, const PlanReport& report,
                          const PlannerOptions& planning, const Console& console) {
  const StateGraphOptions rounding{.loss_step = planning.loss_step,
                                   .time_step = planning.time_step};
  const Plan* plan = report.result.plan ? &*report.result.plan : nullptr;
  const StateGraph graph = explore(report.planned.problem, report.result.estimator, plan, rounding);
  return put_both(
      options, console, [&] { return graph_svg(report.planned, graph); },
      [&] { return graph_dot(report.planned, graph); });
}

}  // namespace

PictureTargets put(const std::string& target, const std::string& picture, const Console& console) {
  if (target == "-") {
    console.answer(picture);
    return PictureTargets::Stdout;
  }
  std::ofstream file(target, std::ios::binary);
  file << picture << std::flush;
  if (!file)
    throw Error(ErrorCode::BadInput, "'" + shown(target) + "' cannot be written",
                "write to another place");
  console.remark("wrote " + shown(target) + "\n");
  return PictureTargets::Files;
}

void check_picture_options(const PictureOptions& options, const Console& console) {
  const bool to_stdout = options.svg == "-" || options.dot == "-";
  if (to_stdout && console.format() == Format::Json) {
    throw Error(ErrorCode::BadInput, "stdout can hold a picture or JSON, not both",
                "draw into a file");
  }
  if (options.svg == "-" && options.dot == "-") {
    throw Error(ErrorCode::BadInput, "stdout can hold one picture", "draw the other into a file");
  }
  if (options.graph && options.svg.empty() && options.dot.empty()) {
    throw Error(ErrorCode::BadInput, "--graph needs --svg or --dot",
                "espalier plan FILE --graph --svg graph.svg");
  }
}

PictureTargets draw_plan(const PictureOptions& options, const PlanReport& report,
                         const PlannerOptions& planning, const Console& console) {
  if (options.svg.empty() && options.dot.empty()) return PictureTargets::Files;
  if (options.graph) return draw_graph(options, report, planning, console);
  if (!report.result.plan) {
    console.remark("no plan, no picture\n");
    return PictureTargets::Files;
  }
  return put_both(
      options, console, [&] { return plan_svg(report.planned, report.result); },
      [&] { return plan_dot(report.planned, report.result); });
}

PictureTargets draw_frontier(const PictureOptions& options, const FrontierReport& report,
                             const Console& console) {
  if (!options.dot.empty()) {
    throw Error(ErrorCode::BadInput, "a frontier is a curve and no graph",
                "use --svg in place of --dot");
  }
  if (options.svg.empty()) return PictureTargets::Files;
  return put(options.svg, frontier_svg(report), console);
}

}  // namespace espalier
