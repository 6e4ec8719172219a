// SPDX-License-Identifier: Apache-2.0
// Claim: our learner trains at 95 % or more of the speed of a bare libtorch loop whose batches lie
// ready as floats, although it makes its own from bytes.
#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "bare_loop.h"
#include "cpu_watch.h"
#include "meter.h"
#include "networks/network_catalogue.h"
#include "program.h"
#include "report.h"
#include "training/fresh_weights.h"
#include "training/passive_threads.h"
#include "training/synthetic_images.h"
#include "training/torch/torch_learner.h"

namespace espalier::bench {
namespace {

constexpr double kClaimed = 0.95;

struct Settings {
  std::vector<double> widths{0.25, 0.5};
  std::size_t images = 960;
  int rounds = 7;
  int threads = 1;
  std::string json;
};

struct Time {
  double wall = 0;
  double cpu = 0;
};

Time time_of(const std::function<void()>& work) {
  const Stopwatch wall;
  const CpuWatch cpu;
  work();
  return {wall.seconds(), cpu.seconds()};
}

// The quietest round: whatever disturbs only adds.
Time least(const std::vector<Time>& times) {
  Time best = times.front();
  for (const Time& time : times) {
    best = {std::min(best.wall, time.wall), std::min(best.cpu, time.cpu)};
  }
  return best;
}

// The ratio in the middle round, by processor time.
double median_ratio(const std::vector<Time>& bare, const std::vector<Time>& ours) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < bare.size(); ++i) ratios.push_back(bare[i].cpu / ours[i].cpu);
  std::ranges::sort(ratios);
  return ratios[ratios.size() / 2];
}

void race(Report& report, const Settings& settings, double width) {
  const Images images = noise_images(settings.images, {}, 10, 1);
  const Samples samples = Samples::all(images);
  BareLoop bare(images, {.width = width, .threads = settings.threads});
  const Network network = fresh_network(build_network("vgg11", {.width = width}), 1);
  const auto learner = torch_learner(network, {.threads = settings.threads});
  std::vector<Time> bare_times;
  std::vector<Time> our_times;
  EpochOutcome outcome = learner->train(samples, {0, {}});
  bare.epoch();
  for (int round = 1; round <= settings.rounds; ++round) {
    bare_times.push_back(time_of([&] { bare.epoch(); }));
    our_times.push_back(time_of([&] { outcome = learner->train(samples, {round, {}}); }));
  }
  if (outcome.end != EpochEnd::Finished) report.fail("our learner did not finish its epoch");
  const double ratio = median_ratio(bare_times, our_times);
  const auto count = static_cast<double>(settings.images);
  const Time fast = least(bare_times);
  const Time ours = least(our_times);
  report.add({width, "bare loop", count / fast.wall, count / fast.cpu, Cell{}, Cell{}});
  report.add({width, "learner", count / ours.wall, count / ours.cpu,
              100 * (outcome.preparing / outcome.time), ratio});
  report.conclude(fmt::format("Width {}: {:.3f} of the bare loop's speed, {} the {} claimed.",
                              width, ratio, ratio >= kClaimed ? "at least" : "LESS than",
                              kClaimed));
  if (ratio < kClaimed) report.fail("slower than claimed");
}

int run(const Settings& settings) {
  Report report("Our learner is as fast as a bare libtorch loop. VGG-11, batch 64.",
                {"width", "way", "images/s", "images/s per core", "preparing %", "ratio"});
  for (const double width : settings.widths) race(report, settings, width);
  report.conclude(fmt::format(
      "{} thread(s), {} rounds of both in turn. Speeds: those of the quietest round, by the clock "
      "and by processor time; ratio: median over the rounds, by processor time.",
      settings.threads, settings.rounds));
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--widths", settings.widths, "factors on the channels of VGG-11");
  app.add_option("--images", settings.images, "in an epoch");
  app.add_option("--rounds", settings.rounds, "epochs of each way");
  app.add_option("--threads", settings.threads, "cores to use");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier;
  using namespace espalier::bench;
  wait_passively(argv);
  return run_program(argc, argv, "Measures our training loop against a bare one.", add_options,
                     run);
}
