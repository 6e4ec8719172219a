// SPDX-License-Identifier: Apache-2.0
#include "outlook/imagined_outlook.h"

#include <gtest/gtest.h>

#include "outlook/questions.h"
#include "support/factory.h"

namespace espalier {
namespace {

// What is unsure, as shares of losses: those right after a change, and those after it.
struct Doubt {
  double arrival = 0;
  double later = 0;
};

// Every epoch takes a tenth of the loss away, every change of models adds 0.2.
class Steady final : public Imagination {
 public:
  explicit Steady(const Problem& problem, const Doubt& doubt = {})
      : problem_(problem), doubt_(doubt) {}

  std::vector<Imagined> imagine(const Plan& course, std::span<const Itinerary> itineraries,
                                std::size_t ways) const override {
    std::vector<Imagined> all;
    for (const Itinerary& itinerary : itineraries) {
      State now = course.end();
      Imagined last;
      for (const Leg& leg : itinerary) last = go(now, leg);
      last.ways.assign(ways, {});
      for (auto& way : last.ways) {
        for (const LossRange& range : last.losses) way.push_back(range.mean);
      }
      all.push_back(std::move(last));
    }
    return all;
  }

 private:
  Imagined go(State& now, const Leg& leg) const {
    const bool is_change = model(now.placement) != model(leg.at);
    now.placement = leg.at;
    now.loss = now.loss + Loss{is_change ? 0.2 : 0.0};
    Imagined imagined{.arrival = {now.loss.value, now.loss.value, now.loss.value}};
    if (is_change) imagined.arrival.high *= 1 + doubt_.arrival;
    for (int i = 0; i < leg.epochs; ++i) {
      now.loss = now.loss * 0.9;
      imagined.losses.push_back(
          {now.loss.value, now.loss.value, now.loss.value * (1 + doubt_.later)});
    }
    return imagined;
  }
  ModelId model(PlacementId at) const { return problem_.training(at).at.model; }

  const Problem& problem_;
  Doubt doubt_;
};

Estimated<Jump> first_jump(const Doubt& doubt) {
  const Problem base = Problem::estimated(support::small_factory());
  const Steady steady(base, doubt);
  return ImaginedOutlook(base, steady).after({base.start(), {}}).model_change({0}, {1})->jump;
}

TEST(ImaginedOutlook, RulesAreWhatWasImagined) {
  const Problem base = Problem::estimated(support::small_factory());
  const Steady steady(base);
  ImaginedOutlook outlook(base, steady);
  const Problem now = outlook.after({base.start(), {}});
  ASSERT_EQ(now.size(), base.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Training& training = now.placements()[i];
    EXPECT_NEAR(training.rule.expected.next(1, 0.5), 0.45, 1e-3) << i;
    EXPECT_NEAR(training.noise.run, 0, 1e-6);
    EXPECT_EQ(training.time, base.placements()[i].time);
  }
}

// Whoever promises a probability promises it from there.
TEST(ImaginedOutlook, BeginsWhereTheCourseEnds) {
  const Problem base = Problem::estimated(support::small_factory());
  const Steady steady(base);
  ImaginedOutlook outlook(base, steady);
  const State start = base.start();
  const Plan course{start, {{start.placement, Loss{1.5}, Seconds{3}, Joules{7}, {}}}};
  const State now = outlook.after(course).start();
  EXPECT_EQ(now.placement, start.placement);
  EXPECT_EQ(now.epoch, start.epoch + 1);
  EXPECT_EQ(now.loss, Loss{1.5});
  EXPECT_EQ(now.time, Seconds{3});
  EXPECT_EQ(now.energy, Joules{7});
}

TEST(ImaginedOutlook, JumpsAreWhatWasImagined) {
  const Problem base = Problem::estimated(support::small_factory());
  const Steady steady(base);
  ImaginedOutlook outlook(base, steady);
  const Problem now = outlook.after({base.start(), {}});
  const auto change = now.model_change({0}, {1});
  ASSERT_TRUE(change.has_value());
  // What arriving is worth is read between the points of a curve.
  EXPECT_NEAR(change->jump.expected.add, 0.2, 0.01);
  EXPECT_NEAR(change->jump.expected.scale, 1, 0.01);
}

TEST(ImaginedOutlook, ADoubtAboutAnArrivalCountsBesideThatAboutTheGoal) {
  const auto reach = [](const Doubt& doubt) {
    const Estimated<Jump> jump = first_jump(doubt);
    return jump.robust.apply(2) / jump.expected.apply(2) - 1;
  };
  EXPECT_NEAR(reach({.arrival = 0, .later = 0.1}), 0, 1e-9);
  EXPECT_GT(reach({.arrival = 0.1, .later = 0}), 0.05);
  EXPECT_LT(reach({.arrival = 0.1, .later = 0.2}), 0.3 * reach({.arrival = 0.1, .later = 0}));
}

TEST(Questions, PlacesFurtherAwayArePassedThroughToIt) {
  const Problem problem =
      Problem::estimated(support::small_factory())
          .only([](const Placement& from, const Placement& to) {
            return to.model.pos() == from.model.pos() + 1 && to.nodes.pos() == from.nodes.pos() + 1;
          });
  const auto ways = ways_to(problem, problem.start().placement, 7);
  std::size_t longest = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!ways[i]) continue;
    EXPECT_EQ(ways[i]->back().at.pos(), i);
    for (std::size_t leg = 1; leg + 1 < ways[i]->size(); ++leg) {
      EXPECT_EQ((*ways[i])[leg].epochs, 7);
    }
    longest = std::max(longest, ways[i]->size());
  }
  EXPECT_EQ(longest, 3) << "L on gold, M on silver, S on bronze";
}

TEST(Questions, EachChangeOfModelsIsAskedOnce) {
  const Problem problem = Problem::estimated(support::small_factory());
  const auto steps = model_steps(problem, ways_to(problem, problem.start().placement, 7));
  for (const ModelStep& step : steps) {
    EXPECT_NE(step.from, step.to);
    EXPECT_TRUE(problem.change(step.at, step.next).has_value());
  }
  EXPECT_EQ(steps.size(), 2) << "L to M, M to S";
}

}  // namespace
}  // namespace espalier
