// SPDX-License-Identifier: Apache-2.0
// Text on a terminal: how wide it is, and how to fit it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// Everything for people fits into this many columns.
inline constexpr int kPageWidth = 100;

// Columns that UTF-8 `text` takes on a terminal: combining marks none, wide East Asian characters
// two.
int display_width(std::string_view text);

// Foreign text made safe to print: control characters and broken UTF-8 become '?'.
std::string printable(std::string_view text);

// At most `width` columns; what is cut off leaves "…".
std::string cut_to(std::string_view text, int width);

// Filled up with spaces.
std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

// Lines of at most `width` columns, broken at spaces; words that are longer are cut in pieces.
std::vector<std::string> wrap(std::string_view text, int width);

// Like wrap, joined: `first` before the first line and as many spaces before the others.
std::string hanging(std::string_view first, std::string_view text, int width = kPageWidth);

// As a shell reads it as one word: quoted if need be.
std::string shell_word(std::string_view text);

}  // namespace espalier
