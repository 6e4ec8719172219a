// SPDX-License-Identifier: Apache-2.0
// Tables such as metrics.csv, by the names of their columns. Nothing in them is quoted.
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace espalier {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> csv_words(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream rest(line);
  for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
  return words;
}

inline std::vector<CsvRow> csv_rows(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = csv_words(line);
  std::vector<CsvRow> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> words = csv_words(line);
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < names.size() && i < words.size(); ++i) row[names[i]] = words[i];
  }
  return rows;
}

}  // namespace espalier
