// SPDX-License-Identifier: Apache-2.0
// A run as a page of tables and pictures: for programs that were built without the dashboard's.
#pragma once

#include <string>

#include "page/report_page.h"

namespace espalier {

// HTML that needs no script.
std::string plain_report(const ReportContent& content, const WatchedStory& story);

}  // namespace espalier
