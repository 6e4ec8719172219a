// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace espalier::bench {
namespace {

constexpr std::size_t kFirstWidth = 42;
constexpr std::size_t kColumnWidth = 13;

std::string text_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.5g}", *number);
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *count);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "NO";
  return "–";
}

nlohmann::json json_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* count = std::get_if<std::int64_t>(&cell)) return *count;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag;
  return nullptr;
}

void print_row(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? fmt::format("{:<{}}", cells[i], kFirstWidth)
                   : fmt::format(" {:>{}}", cells[i], std::max(kColumnWidth, cells[i].size()));
  }
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

}  // namespace

Report::Report(std::string claim, std::vector<std::string> columns)
    : claim_(std::move(claim)), columns_(std::move(columns)) {
  fmt::print("{}\n\n", claim_);
  print_row(columns_);
}

void Report::add(std::vector<Cell> row) {
  ESPALIER_CHECK(row.size() == columns_.size());
  std::vector<std::string> texts;
  std::ranges::transform(row, std::back_inserter(texts), text_of);
  print_row(texts);
  rows_.push_back(std::move(row));
}

void Report::conclude(const std::string& sentence) {
  fmt::print("{}{}\n", conclusions_.empty() ? "\n" : "", sentence);
  conclusions_.push_back(sentence);
}

void Report::fail(const std::string& sentence) {
  has_failed_ = true;
  conclude("FAILED: " + sentence);
}

int Report::finish(const std::string& path) const {
  if (!path.empty()) {
    nlohmann::json json{
        {"claim", claim_},
        {"holds", !has_failed_},
        {"conclusions", conclusions_},
        {"machine", {{"cores", std::thread::hardware_concurrency()}, {"compiler", __VERSION__}}},
        {"rows", nlohmann::json::array()}};
    for (const auto& row : rows_) {
      nlohmann::json object;
      for (std::size_t i = 0; i < row.size(); ++i) object[columns_[i]] = json_of(row[i]);
      json["rows"].push_back(std::move(object));
    }
    std::ofstream(path) << json.dump(2) << '\n';
  }
  return has_failed_ ? 1 : 0;
}

int exit_code_of(const std::function<int()>& run) noexcept {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fputs(e.what(), stderr);
    std::fputs("\n", stderr);
    return 1;
  }
}

}  // namespace espalier::bench
