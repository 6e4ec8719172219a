// SPDX-License-Identifier: Apache-2.0
#include "datasets/class_quota.h"

#include <algorithm>

namespace espalier {
namespace {

struct Entry {
  ClassQuota quota;
  double exact = 0;
  std::size_t available = 0;

  // How much it would like one more image; rounding up comes before going beyond.
  double wish() const { return exact - static_cast<double>(quota.count); }
  bool can_grow() const { return quota.count < available && wish() > -1; }
};

// Ties: who has more left, then the lower label, as the entries are in that order.
bool wishes_less(const Entry& a, const Entry& b) {
  if (a.wish() != b.wish()) return a.wish() < b.wish();
  return a.available - a.quota.count < b.available - b.quota.count;
}

Entry* hungriest(std::vector<Entry>& entries) {
  Entry* best = nullptr;
  for (Entry& entry : entries) {
    if (entry.can_grow() && (best == nullptr || wishes_less(*best, entry))) best = &entry;
  }
  return best;
}

std::vector<Entry> rounded_down(const Stock& stock, std::span<const std::uint16_t> labels,
                                std::size_t samples) {
  std::size_t total = 0;
  for (const std::uint16_t label : labels) total += stock.total(label);
  std::vector<Entry> entries;
  for (const std::uint16_t label : labels) {
    const std::size_t product = samples * stock.total(label);
    const std::size_t available = stock.available(label);
    const double exact = static_cast<double>(product) / static_cast<double>(total);
    entries.push_back({{label, std::min(product / total, available)}, exact, available});
  }
  return entries;
}

}  // namespace

std::vector<ClassQuota> stratified_quota(const Stock& stock, std::span<const std::uint16_t> labels,
                                         std::size_t samples) {
  std::vector<Entry> entries = rounded_down(stock, labels, samples);
  std::size_t given = 0;
  for (const Entry& entry : entries) given += entry.quota.count;
  for (; given < samples; ++given) {
    Entry* entry = hungriest(entries);
    if (entry == nullptr) return {};
    ++entry->quota.count;
  }
  std::vector<ClassQuota> quotas;
  quotas.reserve(entries.size());
  for (const Entry& entry : entries) quotas.push_back(entry.quota);
  return quotas;
}

}  // namespace espalier
