// SPDX-License-Identifier: Apache-2.0
#include "datasets/split.h"

#include <algorithm>
#include <numeric>

#include "datasets/allotment.h"
#include "datasets/class_quota.h"
#include "datasets/draws.h"
#include "datasets/share_check.h"
#include "datasets/stock.h"
#include "datasets/wording.h"

namespace espalier {
namespace {

// Deals out to one node set after the other.
class Dealer {
 public:
  Dealer(const Dataset& dataset, const SplitOptions& options)
      : dataset_(dataset), options_(options), stock_(dataset, options) {}

  OwnedSamples serve(const Share& share);
  std::size_t shared() const { return stock_.shared(); }

 private:
  using Labels = std::vector<std::uint16_t>;

  Labels choose_classes(const Share& share) const;
  void check_stock(const Share& share, const Labels& labels) const;
  std::vector<std::size_t> quotas(const Share& share, const Labels& labels) const;
  Allotment allot(const Share& share, const Labels& labels) const;
  void check_allotment(const Share& share, const Labels& labels, const Allotment& allotment) const;
  [[noreturn]] void refuse_class(const Share& share, std::uint16_t label) const;
  std::vector<SampleList> deal(const Labels& labels, const Allotment& allotment);
  std::string asks(const Share& share) const;

  const Dataset& dataset_;
  const SplitOptions options_;
  Stock stock_;
  std::string served_;  // "gold took 45,000, silver took 5,000"
};

std::string Dealer::asks(const Share& share) const {
  return "asks for " + counted(share.samples, "sample", "samples") + " of " +
         counted(class_count(share, dataset_), "class", "classes");
}

// By the name, so that it does not matter which other node sets there are.
Dealer::Labels Dealer::choose_classes(const Share& share) const {
  Labels labels(dataset_.classes.size());
  std::iota(labels.begin(), labels.end(), std::uint16_t{0});
  Draws draws(options_.seed, "classes of " + share.nodes);
  shuffle(labels, draws);
  labels.resize(class_count(share, dataset_));
  std::sort(labels.begin(), labels.end());
  return labels;
}

void Dealer::check_stock(const Share& share, const Labels& labels) const {
  std::size_t total = 0;
  std::size_t available = 0;
  for (const std::uint16_t label : labels) {
    total += stock_.total(label);
    available += stock_.available(label);
  }
  if (share.samples > total) {
    refuse(share.nodes, asks(share) + "; " + dataset_.name + " has " + counted(total) + " of these",
           "ask for at most " + counted(total));
  }
  if (share.samples > available) {
    refuse(share.nodes,
           asks(share) + "; " + dataset_.name + " has " + counted(total) + " of these, and " +
               counted(available) + " are left: " + served_,
           "ask for " + counted(share.samples - available) +
               " fewer in all, or permit overlap between node sets");
  }
}

void Dealer::refuse_class(const Share& share, std::uint16_t label) const {
  const std::string others = served_.empty() ? "" : ": " + served_;
  refuse(share.nodes,
         asks(share) + "; of class '" + dataset_.classes[label] + "' only " +
             counted(stock_.available(label)) + " of " + counted(stock_.total(label)) +
             " are left" + others,
         "ask for fewer, of other classes, or permit overlap between node sets");
}

std::vector<std::size_t> Dealer::quotas(const Share& share, const Labels& labels) const {
  std::vector<std::size_t> counts;
  for (const ClassQuota& quota : stratified_quota(stock_, labels, share.samples)) {
    counts.push_back(quota.count);
  }
  if (counts.empty()) {
    refuse_class(share, *std::min_element(labels.begin(), labels.end(), [&](auto a, auto b) {
                   return stock_.available(a) < stock_.available(b);
                 }));
  }
  return counts;
}

Allotment Dealer::allot(const Share& share, const Labels& labels) const {
  const Draws draws(options_.seed, "members of " + share.nodes);
  if (const auto* few = std::get_if<ByClass>(&share.kind)) {
    return by_class_allotment(
        {share.samples, share.members, labels.size(), few->classes_per_member}, draws);
  }
  const auto* skewed = std::get_if<Dirichlet>(&share.kind);
  if (skewed == nullptr) return iid_allotment(quotas(share, labels), share.members);
  return dirichlet_allotment(quotas(share, labels), share.members, skewed->alpha, draws);
}

std::size_t column_sum(const Allotment& allotment, std::size_t column) {
  std::size_t sum = 0;
  for (const auto& row : allotment) sum += row[column];
  return sum;
}

void Dealer::check_allotment(const Share& share, const Labels& labels,
                             const Allotment& allotment) const {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (column_sum(allotment, i) > stock_.available(labels[i])) refuse_class(share, labels[i]);
  }
}

std::vector<SampleList> Dealer::deal(const Labels& labels, const Allotment& allotment) {
  std::vector<SampleList> members(allotment.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const SampleList samples = stock_.take(labels[i], column_sum(allotment, i));
    auto next = samples.begin();
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto end = next + static_cast<std::ptrdiff_t>(allotment[m][i]);
      members[m].insert(members[m].end(), next, end);
      next = end;
    }
  }
  for (SampleList& member : members) std::sort(member.begin(), member.end());
  return members;
}

OwnedSamples Dealer::serve(const Share& share) {
  const Labels labels = choose_classes(share);
  check_stock(share, labels);
  const Allotment allotment = allot(share, labels);
  check_allotment(share, labels, allotment);
  served_ += (served_.empty() ? "" : ", ") + share.nodes + " took " + counted(share.samples);
  return {share.nodes, labels, deal(labels, allotment)};
}

}  // namespace

Split split_dataset(const Dataset& dataset, std::span<const Share> shares,
                    const SplitOptions& options) {
  check_shares(shares, dataset);
  Dealer dealer(dataset, options);
  Split split;
  for (const Share& share : shares) split.node_sets.push_back(dealer.serve(share));
  split.shared = dealer.shared();
  return split;
}

}  // namespace espalier
