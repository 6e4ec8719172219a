// SPDX-License-Identifier: Apache-2.0
#include "node/worker.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "fakes/fake_learner.h"
#include "node/node_fixtures.h"
#include "support/text.h"
#include "training/cooperation.h"
#include "training/fedavg.h"

namespace espalier {
namespace {

struct Workshop {
  explicit Workshop(
      OwnData own = some_images(10),
      fakes::FakeLearner::OnEpoch on_epoch = [](const Epoch&) { return EpochEnd::Finished; })
      : data(std::move(own)),
        hook(std::move(on_epoch)),
        worker(data, {fakes::fake_learners([this](const Epoch& epoch) { return hook(epoch); }),
                      meters.both(), clock}) {}

  Finished done(const Task& task, const Network& network = small_network()) const {
    const auto finished = worker.work(task, network, {});
    EXPECT_TRUE(finished);
    return finished.value_or(Finished{});
  }

  FakeMeters meters;
  fakes::FakeClock clock;
  OwnData data;
  fakes::FakeLearner::OnEpoch hook;
  Worker worker;
};

TEST(Worker, TrainsAsAMemberOfACooperationDoes) {
  const Network shared = small_network();
  const std::vector<OwnData> own{some_images(10, 1), some_images(7, 2), some_images(12, 3)};
  std::vector<Member> members;
  std::vector<Contribution> contributions;
  const Task task = task_of(TrainWork{.local_epochs = 3}, 4);
  for (const OwnData& data : own) {
    members.push_back({"one", Samples::all(data.images)});
    Finished finished = Workshop(data).done(task, shared);
    ASSERT_TRUE(finished.update) << finished.result.message;
    contributions.push_back(
        {std::move(*finished.update), static_cast<double>(finished.result.samples)});
  }
  const LearnerFactory learners = fakes::fake_learners()(options_of(task.learning, 1));
  const CooperationOutcome together = train_together(shared, members, {4, {}}, {3}, learners);
  EXPECT_EQ(average(contributions), together.network);
  EXPECT_FALSE(together.network.momentum.empty());
}

TEST(Worker, TellsHowMuchOfTheTrainingIsDone) {
  const Workshop workshop(some_images(10), [](const Epoch& epoch) {
    for (const int seen : {4, 8, 10}) epoch.seen(seen);
    return EpochEnd::Finished;
  });
  std::vector<double> told;
  ASSERT_TRUE(workshop.worker.work(task_of(TrainWork{.local_epochs = 2}, 1), small_network(), {},
                                   [&](double share) { told.push_back(share); }));
  EXPECT_EQ(told, (std::vector<double>{0.2, 0.4, 0.5, 0.7, 0.9, 1}));
}

TEST(Worker, GoesOnFromTheMomentumThatItIsGiven) {
  const Workshop workshop;
  const Finished first = workshop.done(task_of(TrainWork{}, 0));
  const Finished second = workshop.done(task_of(TrainWork{}, 1), *first.update);
  EXPECT_NE(first.update->momentum, second.update->momentum);
  EXPECT_EQ(workshop.done(task_of(TrainWork{}, 1), *first.update).update, second.update);
}

TEST(Worker, CarriesMomentumOverWhenItPrunes) {
  const Workshop workshop;
  const Network trained = *workshop.done(task_of(TrainWork{})).update;
  PruneWork half{.network = "vgg11", .width = 0.03, .gone = 0.5, .round_to = 1};
  const Finished pruned = workshop.done(task_of(half), trained);
  ASSERT_TRUE(pruned.update) << pruned.result.message;
  ASSERT_FALSE(pruned.update->momentum.empty());
  // In what fakes learn, weight and momentum are the same number: so they are in what stays.
  for (const auto& [name, momentum] : pruned.update->momentum)
    EXPECT_EQ(momentum, pruned.update->weights.at(name)) << name;
  EXPECT_LT(pruned.update->momentum.at("conv1.weight").values.size(),
            trained.momentum.at("conv1.weight").values.size());
  half.distil_epochs = 2;
  const Finished distilled = workshop.done(task_of(half), trained);
  ASSERT_TRUE(distilled.update) << distilled.result.message;
  EXPECT_EQ(distilled.update->architecture, pruned.update->architecture);
  EXPECT_NE(distilled.update->weights, pruned.update->weights) << "it has learned";
}

TEST(Worker, LearnsFromAShareOfItsSamplesTheSameOnesEachTime) {
  const Workshop workshop(some_images(100));
  const Finished half = workshop.done(task_of(TrainWork{.share = 0.5}));
  EXPECT_EQ(half.result.samples, 50);
  EXPECT_EQ(workshop.done(task_of(TrainWork{.share = 0.5})).update, half.update);
  EXPECT_EQ(workshop.done(task_of(TrainWork{.share = 0.001})).result.samples, 1);
}

TEST(Worker, LooksAtAsManySamplesAsItIsTold) {
  const Workshop workshop(some_images(100));
  EXPECT_EQ(workshop.done(task_of(EvaluateWork{})).result.samples, 100);
  const Finished some = workshop.done(task_of(EvaluateWork{30}));
  EXPECT_EQ(some.result.samples, 30);
  EXPECT_FALSE(some.update);
  EXPECT_GT(some.result.loss.value, 2);
}

TEST(Worker, TellsWhatATaskCost) {
  Workshop workshop;
  workshop.hook = [&](const Epoch&) {
    workshop.clock.pass({3});
    workshop.meters.best.reading.energy += {40};
    return EpochEnd::Finished;
  };
  const Finished finished = workshop.done(task_of(TrainWork{.local_epochs = 2}));
  EXPECT_EQ(finished.result.time.value, 6);
  EXPECT_EQ(finished.result.energy.energy.value, 80);
  EXPECT_EQ(finished.result.energy.provenance, Provenance::Measured);
  EXPECT_EQ(finished.result.energy.source, "fake");
}

TEST(Worker, FallsBackToTheModelWhenTheSensorVanishes) {
  Workshop workshop;
  workshop.hook = [&](const Epoch&) {
    workshop.meters.best.is_broken = true;
    workshop.meters.modelled.reading.energy += {7};
    return EpochEnd::Finished;
  };
  for (int i = 0; i < 2; ++i) {
    const Finished finished = workshop.done(task_of(TrainWork{}));
    EXPECT_EQ(finished.result.end, TaskEnd::Finished);
    EXPECT_EQ(finished.result.energy.energy.value, 7);
    EXPECT_EQ(finished.result.energy.provenance, Provenance::Modelled);
    EXPECT_TRUE(contains(finished.result.energy.source, "the sensor is gone"));
  }
}

TEST(Worker, SaysThatALossIsNoNumber) {
  const Workshop workshop(some_images(10), [](const Epoch&) { return EpochEnd::Divergent; });
  const Finished finished = workshop.done(task_of(TrainWork{}));
  EXPECT_EQ(finished.result.end, TaskEnd::Divergent);
  EXPECT_FALSE(finished.update);
}

TEST(Worker, SaysThatAWeightIsNoNumber) {
  Network network = small_network();
  network.weights.begin()->second.values.front() = std::numeric_limits<float>::infinity();
  EXPECT_EQ(Workshop().done(task_of(TrainWork{}), network).result.end, TaskEnd::Divergent);
}

TEST(Worker, RefusesNetworksForOtherImages) {
  const Network other = fresh_network(build_network("vgg11", {0.03, 4, {3, 32, 32}}), 1);
  const Finished finished = Workshop().done(task_of(TrainWork{}), other);
  EXPECT_EQ(finished.result.end, TaskEnd::Refused);
  EXPECT_TRUE(contains(finished.result.message, "3×32×32")) << finished.result.message;
}

TEST(Worker, FailsInWordsWhereItBreaks) {
  const Workshop workshop(some_images(10),
                          [](const Epoch&) -> EpochEnd { throw std::runtime_error("ouch"); });
  const Finished finished = workshop.done(task_of(TrainWork{}));
  EXPECT_EQ(finished.result.end, TaskEnd::Failed);
  EXPECT_EQ(finished.result.message, "ouch");
  const Workshop poor(some_images(10), [](const Epoch&) -> EpochEnd { throw std::bad_alloc(); });
  EXPECT_EQ(poor.done(task_of(TrainWork{})).result.message, "out of memory");
}

TEST(Worker, StopsInTheMiddle) {
  std::stop_source stop;
  const Workshop workshop(some_images(10), [&](const Epoch& epoch) {
    if (epoch.number == 7) stop.request_stop();
    return epoch.stop.stop_requested() ? EpochEnd::Stopped : EpochEnd::Finished;
  });
  EXPECT_FALSE(workshop.worker.work(task_of(TrainWork{.local_epochs = 5}, 1), small_network(),
                                    stop.get_token()));
}

TEST(Worker, RefusesToPruneWhatIsNoVersionOfTheNetworkThatItIsTold) {
  const Finished other =
      Workshop().done(task_of(PruneWork{.network = "alexnet", .width = 0.1, .gone = 0.5}));
  EXPECT_EQ(other.result.end, TaskEnd::Refused) << other.result.message;
  const Finished unknown = Workshop().done(task_of(PruneWork{.network = "../vgg", .gone = 0.5}));
  EXPECT_EQ(unknown.result.end, TaskEnd::Refused);
  const Finished wide =
      Workshop().done(task_of(PruneWork{.network = "vgg11", .width = 1e300, .gone = 0.5}));
  EXPECT_EQ(wide.result.end, TaskEnd::Refused);
}

// How often each class is among them.
std::vector<int> classes_among(const Samples& samples, int classes) {
  std::vector<int> counts(static_cast<std::size_t>(classes), 0);
  for (std::size_t i = 0; i < samples.size(); ++i) ++counts[samples.label(i)];
  return counts;
}

// Image after image of the next class, as many data sets are written.
TEST(OwnParts, HaveAllClassesWhereClassesTakeTurns) {
  struct Case {
    int classes;
    std::size_t parts;
  };
  for (const auto& [classes, parts] :
       {Case{4, 2}, {4, 4}, {8, 2}, {8, 4}, {10, 3}, {10, 5}, {10, 10}, {100, 10}}) {
    const std::string dataset = fmt::format("synthetic:{}x100", classes);
    for (const std::size_t part : {std::size_t{1}, parts}) {
      const OwnData own = open_own_data(dataset, {part, parts, 0}, {});
      const double even = 100.0 / static_cast<double>(parts);
      for (const int seen : classes_among(Samples::all(own.images), classes))
        EXPECT_NEAR(seen, even, 4.5 * std::sqrt(even)) << dataset << " " << part << "/" << parts;
    }
  }
}

TEST(OwnParts, AreSpreadOverAllClassesWhereTheyAreSome) {
  const OwnData all = open_own_data("synthetic:4x100", {}, {});
  for (const std::size_t count : {100, 50, 40, 20})
    for (const int seen : classes_among(spread_over(all.images, count), 4))
      EXPECT_NEAR(seen, static_cast<double>(count) / 4, 0.15 * static_cast<double>(count)) << count;
}

TEST(OwnParts, AreAsManyDifferentImagesAsAskedFor) {
  const OwnData all = open_own_data("synthetic:4x100", {}, {});
  for (std::size_t count = 1; count < 400; ++count) {
    const Samples some = spread_over(all.images, count);
    std::set<const std::uint8_t*> different;
    for (std::size_t i = 0; i < some.size(); ++i) different.insert(some.pixels(i).data());
    ASSERT_EQ(different.size(), count);
  }
}

TEST(OwnParts, AreReadAsPeopleWriteThem) {
  EXPECT_EQ(parse_own_part("500").most, 500U);
  EXPECT_EQ(parse_own_part("2/3").part, 2U);
  EXPECT_EQ(parse_own_part("2/3:50").parts, 3U);
  EXPECT_EQ(parse_own_part("2/3:50").most, 50U);
  for (const char* bad : {"", "0", "-1", "4/3", "0/3", "1/0", "1/", "/", "1:5", "x", "1/2:", "1e3"})
    EXPECT_THROW(parse_own_part(bad), Error) << bad;
}

TEST(OwnData, IsSharedOutWithoutOverlapAndWithoutGaps) {
  const OpenOptions options;
  const auto pictures_of = [](const OwnData& own) {
    const Samples all = Samples::all(own.images);
    std::multiset<std::vector<std::uint8_t>> pictures;
    for (std::size_t i = 0; i < all.size(); ++i)
      pictures.emplace(all.pixels(i).begin(), all.pixels(i).end());
    return pictures;
  };
  const OwnData all = open_own_data("synthetic:4x50", {}, options);
  for (const std::size_t parts : {2, 3, 4, 7}) {
    std::multiset<std::vector<std::uint8_t>> together;
    for (std::size_t part = 1; part <= parts; ++part) {
      const OwnData own = open_own_data("synthetic:4x50", {part, parts, 0}, options);
      EXPECT_GE(own.images.size(), all.images.size() / parts);
      EXPECT_LE(own.images.size(), all.images.size() / parts + 1);
      together.merge(pictures_of(own));
    }
    EXPECT_EQ(together, pictures_of(all)) << parts;
  }
  const OwnData some = open_own_data("synthetic:4x50", {1, 1, 8}, options);
  EXPECT_EQ(some.images.size(), 8U);
  EXPECT_GE(std::set(some.images.labels.begin(), some.images.labels.end()).size(), 2U);
  EXPECT_THROW(open_own_data("synthetic:4x50", {100'000, 100'000, 0}, options), Error);
}

}  // namespace
}  // namespace espalier
