// SPDX-License-Identifier: Apache-2.0
#include "simulation/counted_notes.h"

#include <algorithm>
#include <cctype>

namespace espalier {
namespace {

std::string without_figures(const std::string& text) {
  std::string words;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '.') words += c;
  }
  return words;
}

}  // namespace

void count_note(std::vector<CountedNote>& notes, const CountedNote& note) {
  const auto same = [kind = without_figures(note.text)](const CountedNote& known) {
    return without_figures(known.text) == kind;
  };
  const auto found = std::find_if(notes.begin(), notes.end(), same);
  if (found == notes.end()) {
    notes.push_back(note);
  } else {
    found->count += note.count;
  }
}

}  // namespace espalier
