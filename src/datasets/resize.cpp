// SPDX-License-Identifier: Apache-2.0
#include "datasets/resize.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

// How a new pixel mixes old ones along one axis.
struct Mix {
  std::size_t first = 0;
  std::vector<double> weights;  // of `first` and its successors; their sum is 1
};

// The old pixels that [begin, end) covers, by how much of it each fills.
Mix covered(double begin, double end, std::size_t count) {
  Mix mix{static_cast<std::size_t>(begin), {}};
  for (std::size_t i = mix.first; i < count && static_cast<double>(i) < end; ++i) {
    const double left = std::max(begin, static_cast<double>(i));
    const double right = std::min(end, static_cast<double>(i + 1));
    mix.weights.push_back((right - left) / (end - begin));
  }
  return mix;
}

// The two old pixels around `centre`, by nearness.
Mix between(double centre, std::size_t count) {
  const double at = std::clamp(centre - 0.5, 0.0, static_cast<double>(count - 1));
  const double before = std::floor(at);
  const auto first = static_cast<std::size_t>(before);
  if (first + 1 == count) return {first, {1.0}};
  return {first, {1 - (at - before), at - before}};
}

std::vector<Mix> mixes(std::size_t from, std::size_t to) {
  const double scale = static_cast<double>(from) / static_cast<double>(to);
  std::vector<Mix> all;
  for (std::size_t i = 0; i < to; ++i) {
    const auto at = static_cast<double>(i);
    all.push_back(scale > 1 ? covered(at * scale, (at + 1) * scale, from)
                            : between((at + 0.5) * scale, from));
  }
  return all;
}

// The old rows that `mix` covers become one row of the old width.
std::vector<double> mixed_rows(const Picture& picture, const Mix& mix) {
  std::vector<double> row(picture.row_bytes());
  for (std::size_t i = 0; i < mix.weights.size(); ++i) {
    const std::uint8_t* old_row = &picture.pixels[(mix.first + i) * picture.row_bytes()];
    for (std::size_t j = 0; j < row.size(); ++j) row[j] += mix.weights[i] * old_row[j];
  }
  return row;
}

// One value of the new pixel; `row` begins at the channel.
double mixed_columns(std::span<const double> row, const Mix& mix, std::size_t channels) {
  double value = 0;
  for (std::size_t i = 0; i < mix.weights.size(); ++i) {
    value += mix.weights[i] * row[(mix.first + i) * channels];
  }
  return value;
}

std::uint8_t rounded(double value) {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

}  // namespace

Picture resized(const Picture& picture, std::size_t side) {
  const std::vector<Mix> rows = mixes(picture.height, side);
  const std::vector<Mix> columns = mixes(picture.width, side);
  Picture result{side, side, picture.channels, {}};
  for (const Mix& mix : rows) {
    const std::vector<double> row = mixed_rows(picture, mix);
    for (std::size_t i = 0; i < result.row_bytes(); ++i) {
      const auto from_channel = std::span(row).subspan(i % picture.channels);
      const Mix& column = columns[i / picture.channels];
      result.pixels.push_back(rounded(mixed_columns(from_channel, column, picture.channels)));
    }
  }
  return result;
}

Picture framed(const Picture& picture, std::size_t side) {
  if (picture.width > side || picture.height > side) return resized(picture, side);
  Picture result{side, side, picture.channels, Bytes(side * side * picture.channels)};
  const std::size_t top = (side - picture.height) / 2;
  const std::size_t left = (side - picture.width) / 2;
  for (std::size_t y = 0; y < picture.height; ++y) {
    const auto row = picture.pixels.begin() + static_cast<std::ptrdiff_t>(y * picture.row_bytes());
    const std::size_t at = ((top + y) * side + left) * picture.channels;
    std::copy_n(row, picture.row_bytes(), result.pixels.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return result;
}

}  // namespace espalier
