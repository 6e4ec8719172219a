// SPDX-License-Identifier: Apache-2.0
#include "watching/run_story.h"

namespace espalier {
namespace {

constexpr std::size_t kMostTold = 500;

// The oldest but the first are forgotten.
template <class Told>
void keep(std::vector<Told>& all, Told one) {
  if (all.size() >= kMostTold) all.erase(all.begin() + 1);
  all.push_back(std::move(one));
}

class Teller {
 public:
  Teller(WatchedStory& story, Seconds at) : story_(story), at_(at) {}

  void operator()(const PlanNews& plan) const {
    if (!plan.course.empty()) {
      if (story_.first_course.empty()) story_.first_course = plan.course;
      story_.course = plan.course;
    }
    story_.chance = plan.chance;
    if (!plan.changed) return;
    PlanNews short_plan = plan;
    short_plan.course.clear();
    keep(story_.plans, ToldPlan{at_, std::move(short_plan)});
  }
  // An epoch that has to be trained again comes with its old number.
  void operator()(const EpochNews& epoch) const {
    while (!story_.epochs.empty() && story_.epochs.back().epoch >= epoch.epoch)
      story_.epochs.pop_back();
    story_.epochs.push_back(epoch);
  }
  void operator()(const NodeNews& node) const { story_.nodes[node.name] = node; }
  void operator()(const RemarkNews& remark) const { keep(story_.remarks, {at_, remark.text}); }
  void operator()(const EndNews& end) const { story_.end = end; }
  void operator()(const ResumeNews&) const { story_.end.reset(); }
  void operator()(const LookNews& look) const { story_.head.start_loss = look.loss; }

 private:
  WatchedStory& story_;
  Seconds at_;
};

}  // namespace

WatchedStory first_story(RunHead head) {
  WatchedStory story;
  for (const WatchedNode& node : head.nodes)
    story.nodes[node.name] = NodeNews{.name = node.name, .nodes = node.nodes};
  story.head = std::move(head);
  return story;
}

EnergySource energy_source(const WatchedStory& story) {
  if (story.epochs.empty()) return {Provenance::Modelled, "no epoch is over"};
  const auto of = [](const EpochNews& epoch) {
    return EnergySource{epoch.provenance, epoch.source};
  };
  EnergySource weakest = of(story.epochs.front());
  for (const EpochNews& epoch : story.epochs) weakest = weaker(weakest, of(epoch));
  return weakest;
}

void tell(WatchedStory& story, const RunNews& news) {
  story.last_id = news.id;
  story.at = news.at;
  std::visit(Teller(story, news.at), news.what);
}

}  // namespace espalier
