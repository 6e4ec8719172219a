// SPDX-License-Identifier: Apache-2.0
#include "page/report_page.h"

#include "page/assets.h"
#include "page/plain_report.h"
#include "render/run_json.h"

namespace espalier {
namespace {

// Everything is inside, and nothing can be fetched.
constexpr const char* kPolicy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:\">";

std::string_view asset(std::string_view path) {
  for (const Asset& one : all_assets()) {
    if (one.path == path) return one.content;
  }
  return {};
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Nothing in it can end the script element that it stands in.
std::string inside_script(std::string text) {
  replace_all(text, "</", "<\\/");
  replace_all(text, "<!--", "<\\!--");
  return text;
}

std::string data_script(const ReportContent& content, const WatchedStory& story) {
  const Json data{{"title", content.title},
                  {"made", content.made},
                  {"scenario_text", content.scenario_text},
                  {"run", run_json(story)}};
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  replace_all(text, "<", "\\u003c");
  return "<script type=\"application/json\" id=\"espalier-data\">" + text + "</script>";
}

// The element that begins with `begin` and ends with `end`, replaced or, if it is not there, none.
void replace_element(std::string& page, std::string_view begin, std::string_view end,
                     const std::string& with) {
  const std::size_t from = page.find(begin);
  if (from == std::string::npos) return;
  const std::size_t to = page.find(end, from);
  if (to != std::string::npos) page.replace(from, to + end.size() - from, with);
}

// With what is elsewhere put into it.
std::string whole_page() {
  std::string page(asset("/"));
  const std::string style(asset("/assets/app.css"));
  replace_element(page, "<link rel=\"icon\"", ">", "");
  replace_element(page, "<link rel=\"stylesheet\"", ">", "<style>" + style + "</style>");
  replace_element(page, "<script type=\"module\"", "</script>", "");
  return page;
}

std::string page_script() {
  const std::string code = inside_script(std::string(asset("/assets/app.js")));
  return "<script type=\"module\">" + code + "</script>";
}

}  // namespace

std::string report_page(const ReportContent& content, const WatchedStory& story) {
  std::string page = has_page() ? whole_page() : plain_report(content, story);
  page.insert(page.find("<head>") + 6, kPolicy);
  const std::string script = has_page() ? page_script() : "";
  page.insert(page.find("</body>"), data_script(content, story) + script);
  return page;
}

}  // namespace espalier
