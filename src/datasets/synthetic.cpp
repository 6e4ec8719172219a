// SPDX-License-Identifier: Apache-2.0
#include "datasets/synthetic.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "datasets/draws.h"
#include "datasets/images.h"
#include "datasets/limits.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

constexpr std::size_t kMostClasses = 1000;
constexpr std::size_t kMostSynthetic = 200'000;
constexpr int kCells = 4;  // a pattern is soft: so many colours along each axis
constexpr int kPixelsPerCell = kSide / kCells;
constexpr int kFarthestMove = 4;
constexpr int kChannels = 3;
// Of 255, at the strongest: so that networks need a few epochs.
constexpr double kLeastContrast = 35;
constexpr double kMostContrast = 65;
constexpr double kDistraction = 60;
// Of the sum of four random bytes.
constexpr double kMeanSum = 510;
constexpr double kSumDeviation = 147.80;

// −1 … 1, as [channel][row][column].
using Pattern = std::vector<double>;
using Cells = std::array<double, kCells * kCells>;

// Bilinear between the cells, round the edges, so that a pattern can be moved.
double between(const Cells& cells, int row, int column) {
  const auto at = [&](int y, int x) { return cells[(y % kCells) * kCells + x % kCells]; };
  const int y = row / kPixelsPerCell;
  const int x = column / kPixelsPerCell;
  const double down = static_cast<double>(row % kPixelsPerCell) / kPixelsPerCell;
  const double right = static_cast<double>(column % kPixelsPerCell) / kPixelsPerCell;
  const double above = at(y, x) * (1 - right) + at(y, x + 1) * right;
  const double below = at(y + 1, x) * (1 - right) + at(y + 1, x + 1) * right;
  return above * (1 - down) + below * down;
}

Pattern soft_pattern(Draws& draws) {
  Pattern pattern;
  for (int channel = 0; channel < kChannels; ++channel) {
    Cells cells;
    for (double& cell : cells) cell = 2 * draws.uniform() - 1;
    for (int i = 0; i < kSide * kSide; ++i) pattern.push_back(between(cells, i / kSide, i % kSide));
  }
  return pattern;
}

std::vector<Pattern> class_patterns(const SyntheticOptions& options) {
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < options.classes; ++i) {
    Draws draws(options.seed, "class pattern", i);
    patterns.push_back(soft_pattern(draws));
  }
  return patterns;
}

// Nearly normal with variance 1: the sum of four bytes.
double noise_from(std::uint32_t bits) {
  const std::uint32_t sum =
      (bits & 0xffU) + (bits >> 8U & 0xffU) + (bits >> 16U & 0xffU) + (bits >> 24U);
  return (sum - kMeanSum) / kSumDeviation;
}

// How one image shows the pattern of its class.
struct View {
  int down = 0;
  int right = 0;
  double contrast = 1;
};

View draw_view(Draws& draws) {
  const auto move = [&] { return static_cast<int>(draws.below(2 * kFarthestMove + 1)); };
  const int down = move();
  const int right = move();
  return {down, right, kLeastContrast + (kMostContrast - kLeastContrast) * draws.uniform()};
}

double pattern_at(const Pattern& pattern, const View& view, int pixel) {
  const int row = (pixel / kSide + view.down) % kSide;
  const int column = (pixel + view.right) % kSide;
  const int channel = pixel / (kSide * kSide);
  return pattern[(channel * kSide + row) * kSide + column];
}

void append_image(Images& images, const Pattern& pattern, double noise, Draws& draws) {
  const View view = draw_view(draws);
  const Pattern distraction = soft_pattern(draws);
  std::uint64_t bits = 0;
  for (int pixel = 0; pixel < kChannels * kSide * kSide; ++pixel) {
    bits = pixel % 2 == 0 ? draws.bits() : bits >> 32U;
    const double value = 128 + view.contrast * pattern_at(pattern, view, pixel) +
                         kDistraction * distraction[static_cast<std::size_t>(pixel)] +
                         noise * noise_from(static_cast<std::uint32_t>(bits));
    images.pixels.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
  }
}

Images make_images(const std::vector<Pattern>& patterns, std::size_t per_class,
                   const SyntheticOptions& options, std::string_view purpose) {
  Images images;
  images.pixels.reserve(patterns.size() * per_class * images.bytes_per_image());
  for (std::size_t i = 0; i < patterns.size() * per_class; ++i) {
    const std::size_t label = i % patterns.size();
    Draws draws(options.seed, purpose, i);
    append_image(images, patterns[label], options.noise, draws);
    images.labels.push_back(static_cast<std::uint16_t>(label));
  }
  return images;
}

constexpr const char* kExample = "write synthetic:4x500 for 4 classes of 500 training images each";

void check(const SyntheticOptions& options) {
  if (options.classes < 2 || options.classes > kMostClasses) {
    refuse("synthetic", counted(options.classes) + " classes; it must be 2 to 1,000", kExample);
  }
  const std::size_t most = kMostSynthetic / options.classes;
  if (options.train_per_class == 0 || options.test_per_class == 0 ||
      options.train_per_class > most || options.test_per_class > most - options.train_per_class) {
    refuse("synthetic",
           "at least one image per class is needed, and all of them are at most " +
               counted(kMostSynthetic),
           kExample);
  }
  if (!(options.noise >= 0 && options.noise <= 255)) {
    refuse("synthetic", "noise must be 0 to 255", kExample);
  }
}

// Reads a text from its front.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // Once something did not fit, all that follows does not.
  std::uint64_t number() {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    fits_ = fits_ && error == std::errc();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }
  void letter(char c) {
    fits_ = fits_ && rest_.starts_with(c);
    if (fits_) rest_.remove_prefix(1);
  }
  bool at_end() const { return rest_.empty(); }
  bool fits() const { return fits_; }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace

Dataset synthetic_dataset(const SyntheticOptions& options) {
  check(options);
  const std::vector<Pattern> patterns = class_patterns(options);
  return {"synthetic", numbered_classes(options.classes),
          make_images(patterns, options.train_per_class, options, "train image"),
          make_images(patterns, options.test_per_class, options, "test image")};
}

SyntheticOptions parse_synthetic(std::string_view text) {
  SyntheticOptions options;
  if (text.empty()) return options;
  Reader reader(text);
  options.classes = reader.number();
  reader.letter('x');
  options.train_per_class = reader.number();
  if (!reader.at_end()) {
    reader.letter(':');
    options.seed = reader.number();
  }
  if (!reader.fits() || !reader.at_end()) {
    refuse("synthetic", "'" + std::string(text) + "' is not CLASSESxIMAGES", kExample);
  }
  options.test_per_class = std::max<std::size_t>(1, options.train_per_class / 5);
  return options;
}

}  // namespace espalier
