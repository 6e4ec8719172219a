// SPDX-License-Identifier: Apache-2.0
#include "simulation/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "realisations/confidence.h"

namespace espalier {
namespace {

template <class Value>
Spread spread_over(std::span<const RunRecord> records, Value value) {
  std::vector<double> values;
  values.reserve(records.size());
  for (const RunRecord& record : records) values.push_back(value(record));
  return spread_of(std::move(values));
}

template <class Value>
double mean_over(std::span<const RunRecord> records, Value value) {
  double sum = 0;
  for (const RunRecord& record : records) sum += value(record);
  return sum / static_cast<double>(records.size());
}

std::optional<double> energy_when_reached(std::span<const RunRecord> records) {
  double sum = 0;
  int count = 0;
  for (const RunRecord& record : records) {
    if (!record.reached()) continue;
    sum += record.course.end().energy.value;
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum / count);
}

std::vector<CountedNote> notes_of(std::span<const RunRecord> records) {
  std::vector<CountedNote> notes;
  for (const RunRecord& record : records) {
    for (const CountedNote& note : record.notes) count_note(notes, note);
  }
  return notes;
}

}  // namespace

double quantile_of_sorted(std::span<const double> sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Spread spread_of(std::vector<double> values) {
  ESPALIER_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {.mean = sum / static_cast<double>(values.size()),
          .p05 = quantile_of_sorted(values, 0.05),
          .p50 = quantile_of_sorted(values, 0.5),
          .p95 = quantile_of_sorted(values, 0.95)};
}

SimulationSummary summarise(std::span<const RunRecord> records, Luck luck) {
  if (records.empty()) return {};
  const auto hits = static_cast<std::size_t>(std::count_if(
      records.begin(), records.end(), [](const RunRecord& record) { return record.reached(); }));
  const double share = static_cast<double>(hits) / static_cast<double>(records.size());
  return {
      .runs = records.size(),
      .reached = hits,
      .probability = share,
      .probability_interval =
          luck == Luck::None ? Interval{share, share} : clopper_pearson(hits, records.size()),
      .energy = spread_over(records, [](const auto& r) { return r.course.end().energy.value; }),
      .time = spread_over(records, [](const auto& r) { return r.course.end().time.value; }),
      .loss = spread_over(records, [](const auto& r) { return r.course.end().loss.value; }),
      .energy_when_reached = energy_when_reached(records),
      .switches_mean = mean_over(records, [](const auto& r) { return r.switches; }),
      .plans_mean = mean_over(records, [](const auto& r) { return r.plans; }),
      .fallbacks_mean = mean_over(records, [](const auto& r) { return r.fallbacks; }),
      .without_plan = static_cast<std::size_t>(
          std::ranges::count(records, RunEnd::NothingToSay, [](const auto& r) { return r.end; })),
      .unknown_epochs_mean = mean_over(records, [](const auto& r) { return r.unknown_epochs; }),
      .notes = notes_of(records),
  };
}

}  // namespace espalier
