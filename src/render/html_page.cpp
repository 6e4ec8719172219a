// SPDX-License-Identifier: Apache-2.0
#include "render/html_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "render/svg.h"

namespace espalier {
namespace {

constexpr std::string_view kSheet = R"(<style>
  :root { color-scheme: light dark; --ink: #1f2430; --soft: #6b7280; --ground: #ffffff; --rule: #e3e6ea;
          --card: #f6f7f9; --good: #2f7d32; --bad: #c2362b; --used: #eef3f9; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8eaee; --soft: #9aa3af; --ground: #14171c; --rule: #2c323b; --card: #1b1f26;
            --good: #7ccf80; --bad: #ff7b6e; --used: #1c2633; }
  }
  body { margin: 0 auto; max-width: 1000px; padding: 40px 24px 80px; color: var(--ink); background: var(--ground);
         font: 16px/1.55 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
  h1 { font-size: 30px; line-height: 1.2; margin: 0 0 4px; }
  h2 { font-size: 20px; margin: 44px 0 10px; padding-top: 18px; border-top: 1px solid var(--rule); }
  p { margin: 8px 0; max-width: 76ch; }
  nav { display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 0 0 24px; font-size: 14.5px; }
  nav a { color: var(--soft); }
  .lead { color: var(--soft); margin-bottom: 24px; }
  .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 18px 0; }
  .card { background: var(--card); border-radius: 10px; padding: 14px 16px; }
  .card b { display: block; font-size: 24px; font-variant-numeric: tabular-nums; }
  .card span { color: var(--soft); font-size: 13px; }
  .good b { color: var(--good); } .weak b { color: var(--bad); }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; margin: 14px 0; font-size: 14.5px; font-variant-numeric: tabular-nums; }
  th { color: var(--soft); font-weight: 500; text-align: right; }
  th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
  .left { text-align: left; }
  td.left { white-space: normal; overflow-wrap: anywhere; }
  tr.used td { font-weight: 600; background: var(--used); }
  tr.soft td { color: var(--soft); }
  tr.holds td:nth-child(4) { color: var(--good); white-space: nowrap; }
  tr.fails td:nth-child(4) { color: var(--bad); white-space: nowrap; }
  tr.unsaid td:nth-child(4) { color: var(--soft); white-space: nowrap; }
  .pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 16px; margin: 16px 0; }
  .pictures svg { width: 100%; height: auto; }
  details { margin: 44px 0 10px; padding-top: 18px; border-top: 1px solid var(--rule); }
  summary { font-size: 20px; font-weight: bold; cursor: pointer; }
  pre { background: var(--card); border-radius: 10px; padding: 14px 16px; overflow-x: auto; font-size: 13px; }
</style>
)";

constexpr std::size_t kManyHeads = 6;

}  // namespace

HtmlPage::HtmlPage(std::string_view title, std::string_view about) : title_(title), about_(about) {}

void HtmlPage::head(std::string_view text) {
  heads_.emplace_back(text);
  body_ += fmt::format("<h2 id=\"part-{}\">{}</h2>\n", heads_.size(), xml_escaped(text));
}

std::string HtmlPage::contents() const {
  if (heads_.size() < kManyHeads) return {};
  std::string text = "<nav>\n";
  for (std::size_t i = 0; i < heads_.size(); ++i)
    text += fmt::format("<a href=\"#part-{}\">{}</a>\n", i + 1, xml_escaped(heads_[i]));
  return text + "</nav>\n";
}

void HtmlPage::say(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", xml_escaped(text));
}

void HtmlPage::list(const std::vector<std::string>& sentences) {
  body_ += "<ul>\n";
  for (const std::string& sentence : sentences)
    body_ += fmt::format("<li>{}</li>\n", xml_escaped(sentence));
  body_ += "</ul>\n";
}

void HtmlPage::cards(const std::vector<Card>& cards) {
  body_ += "<div class=\"cards\">\n";
  for (const Card& card : cards)
    body_ += fmt::format("<div class=\"card {}\"><b>{}</b><span>{}</span></div>\n",
                         card.is_good ? "good" : "weak", xml_escaped(card.figure),
                         xml_escaped(card.about));
  body_ += "</div>\n";
}

void HtmlPage::table(const std::vector<std::string>& heads, const std::vector<Row>& rows,
                     std::size_t left) {
  const auto cell = [&](const char* tag, std::size_t column, const std::string& text) {
    return fmt::format("<{0}{1}>{2}</{0}>", tag, column < left ? " class=\"left\"" : "",
                       xml_escaped(text));
  };
  body_ += "<div class=\"wide\"><table>\n<tr>";
  for (std::size_t i = 0; i < heads.size(); ++i) body_ += cell("th", i, heads[i]);
  body_ += "</tr>\n";
  for (const Row& row : rows) {
    body_ += fmt::format("<tr class=\"{}\">", row.look);
    for (std::size_t i = 0; i < row.cells.size(); ++i) body_ += cell("td", i, row.cells[i]);
    body_ += "</tr>\n";
  }
  body_ += "</table></div>\n";
}

void HtmlPage::fold(std::string_view head, std::string_view text) {
  body_ += fmt::format("<details><summary>{}</summary><pre>", xml_escaped(head));
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    body_ += xml_escaped(line) + "\n";
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  body_ += "</pre></details>\n";
}

void HtmlPage::pictures(const std::vector<std::string>& svgs) {
  body_ += "<div class=\"pictures\">\n";
  for (const std::string& svg : svgs) body_ += "<div>" + svg + "</div>\n";
  body_ += "</div>\n";
}

std::string HtmlPage::finish() const {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n{1}</head>\n<body>\n<h1>{0}</h1>\n<p class=\"lead\">{2}</p>\n{3}{4}"
      "</body>\n</html>\n",
      xml_escaped(title_), kSheet, xml_escaped(about_), contents(), body_);
}

}  // namespace espalier
