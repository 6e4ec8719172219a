// SPDX-License-Identifier: Apache-2.0
// --svg, --dot and --graph: pictures into files, or to stdout in place of the answer.
#pragma once

#include <string>

#include "cli/console.h"
#include "core/strategy.h"
#include "render/plan_report.h"

namespace espalier {

struct PictureOptions {
  std::string svg;  // a file, "-" for stdout, or empty
  std::string dot;
  bool graph = false;
};

// Where pictures went: a picture on stdout is the whole answer.
enum class PictureTargets { Files, Stdout };

// Throws Error{BadInput} for what contradicts itself, before any work is done.
void check_picture_options(const PictureOptions& options, const Console& console);

PictureTargets draw_plan(const PictureOptions& options, const PlanReport& report,
                         const PlannerOptions& planning, const Console& console);
PictureTargets draw_frontier(const PictureOptions& options, const FrontierReport& report,
                             const Console& console);

// Writes a document to a file, or to stdout if it is called '-'. Throws Error{BadInput} if it
// cannot.
PictureTargets put(const std::string& target, const std::string& document, const Console& console);

}  // namespace espalier
