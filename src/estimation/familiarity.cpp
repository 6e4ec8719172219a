// SPDX-License-Identifier: Apache-2.0
#include "estimation/familiarity.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/portable_math.h"

namespace espalier {
namespace {

// At these distances ranges are twice as wide.
constexpr double kStrangePrune = 0.25;
constexpr double kStrangeFactor = 4;
constexpr double kStrangeLength = 2;

// Evenly thinned, the first and the last one kept.
std::vector<double> thinned(const std::set<double>& all) {
  const std::vector<double> values(all.begin(), all.end());
  if (values.size() <= kMostSeen) return values;
  std::vector<double> few;
  for (std::size_t i = 0; i < kMostSeen; ++i) {
    few.push_back(values[i * (values.size() - 1) / (kMostSeen - 1)]);
  }
  return few;
}

double log_of(double count) { return portable_log(std::max(1.0, count)); }

template <class Distance>
double nearest(const std::vector<double>& seen, const Distance& distance) {
  double least = seen.empty() ? 0 : distance(seen.front());
  for (const double value : seen) least = std::min(least, distance(value));
  return least;
}

double factor_away(const std::vector<double>& seen, double count) {
  const double here = log_of(count);
  const double away = nearest(seen, [&](double value) { return std::abs(log_of(value) - here); });
  return away / log_of(kStrangeFactor);
}

double prune_away(const std::vector<double>& seen, double prune) {
  return nearest(seen, [&](double value) { return std::abs(value - prune); }) / kStrangePrune;
}

double length_away(int longest, std::size_t epochs) {
  if (longest == 0) return 0;
  const double times = (1.0 + static_cast<double>(epochs)) / (1.0 + longest);
  return log_of(times) / log_of(kStrangeLength);
}

}  // namespace

Familiarity familiar_with(std::span<const RunStory> stories) {
  std::set<double> prunes;
  std::set<double> samples;
  std::set<double> classes;
  Familiarity seen;
  for (const RunStory& story : stories) {
    for (std::size_t i = 0; i < story.points.size(); ++i) {
      const StoryPoint& point = story.points[i];
      if (!point.is_own) continue;
      prunes.insert(point.now.prune);
      samples.insert(static_cast<double>(point.now.samples));
      classes.insert(point.now.classes);
      seen.longest_stage = std::max(seen.longest_stage, static_cast<int>(i - point.stage));
    }
  }
  seen.prunes = thinned(prunes);
  seen.samples = thinned(samples);
  seen.classes = thinned(classes);
  return seen;
}

double strangeness(const Familiarity& seen, const Conditions& now, std::size_t epochs) {
  return 1 + prune_away(seen.prunes, now.prune) +
         factor_away(seen.samples, static_cast<double>(now.samples)) +
         factor_away(seen.classes, now.classes) + length_away(seen.longest_stage, epochs);
}

double strangeness_of_pruning(const Familiarity& seen, double prune) {
  return 1 + prune_away(seen.prunes, prune);
}

}  // namespace espalier
