// SPDX-License-Identifier: Apache-2.0
// Claim: a pruned network really trains faster: VGG-11 of half width, batch 64, 2.5 times with half
// of its channels gone and 5 times with three quarters gone.
#include <algorithm>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "cpu_watch.h"
#include "meter.h"
#include "networks/cost.h"
#include "networks/network_catalogue.h"
#include "networks/pruning.h"
#include "program.h"
#include "report.h"
#include "training/fresh_weights.h"
#include "training/passive_threads.h"
#include "training/synthetic_images.h"
#include "training/torch/torch_learner.h"

namespace espalier::bench {
namespace {

struct Settings {
  double width = 0.5;
  std::size_t images = 640;
  int rounds = 5;
  int threads = 1;
  std::string json;
};

struct Contestant {
  double ratio = 0;    // of channels pruned
  double claimed = 1;  // times as fast as the full network
  Cost cost{};
  std::unique_ptr<Learner> learner{};
  std::vector<double> wall{};
  std::vector<double> cpu{};
};

Contestant contestant(double ratio, double claimed, const Network& full, int threads) {
  const PruningOptions options{.ratios = {.ratio = ratio, .round_to = 16}};
  const Network network = prune(full, full.architecture, options).network;
  return {.ratio = ratio,
          .claimed = claimed,
          .cost = cost_of(network.architecture),
          .learner = torch_learner(network, {.threads = threads})};
}

void train_round(Contestant& contestant, const Samples& samples, int round) {
  const Stopwatch wall;
  const CpuWatch cpu;
  contestant.learner->train(samples, {round, {}});
  contestant.wall.push_back(wall.seconds());
  contestant.cpu.push_back(cpu.seconds());
}

double median_gain(const Contestant& full, const Contestant& pruned) {
  std::vector<double> gains;
  for (std::size_t i = 0; i < full.cpu.size(); ++i) gains.push_back(full.cpu[i] / pruned.cpu[i]);
  std::ranges::sort(gains);
  return gains[gains.size() / 2];
}

void tell(Report& report, const Contestant& full, const Contestant& one, double images) {
  const double gain = median_gain(full, one);
  report.add({one.ratio, one.cost.parameters, static_cast<double>(one.cost.flops) / 1e6,
              images / std::ranges::min(one.wall), images / std::ranges::min(one.cpu), gain,
              static_cast<double>(full.cost.flops) / static_cast<double>(one.cost.flops)});
  if (one.ratio > 0) {
    report.conclude(fmt::format("{} of the channels gone: {:.2f} times as fast, {} the {} claimed.",
                                one.ratio, gain, gain >= one.claimed ? "at least" : "LESS than",
                                one.claimed));
    if (gain < one.claimed) report.fail("slower than claimed");
  }
}

int run(const Settings& settings) {
  const Network full = fresh_network(build_network("vgg11", {.width = settings.width}), 1);
  std::vector<Contestant> contestants;
  contestants.push_back(contestant(0, 1, full, settings.threads));
  contestants.push_back(contestant(0.5, 2.5, full, settings.threads));
  contestants.push_back(contestant(0.75, 5, full, settings.threads));
  const Images images = noise_images(settings.images, {}, 10, 1);
  const Samples samples = Samples::all(images);
  // The first round warms up.
  for (Contestant& one : contestants) one.learner->train(samples, {0, {}});
  for (int round = 1; round <= settings.rounds; ++round) {
    for (Contestant& one : contestants) train_round(one, samples, round);
  }
  Report report(
      "Pruned networks train faster. VGG-11, batch 64, channels in multiples of 16.",
      {"pruned", "parameters", "MFLOP", "images/s", "images/s per core", "gain", "fewer FLOPs"});
  for (const Contestant& one : contestants) {
    tell(report, contestants.front(), one, static_cast<double>(settings.images));
  }
  report.conclude(fmt::format(
      "{} thread(s), {} rounds of all in turn. MFLOP: forward pass of one image. Gain: median over "
      "the rounds, by processor time.",
      settings.threads, settings.rounds));
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--width", settings.width, "factor on the channels of VGG-11");
  app.add_option("--images", settings.images, "in an epoch");
  app.add_option("--rounds", settings.rounds, "epochs of each network");
  app.add_option("--threads", settings.threads, "cores to use");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier;
  using namespace espalier::bench;
  wait_passively(argv);
  return run_program(argc, argv, "Measures how much faster pruned networks train.", add_options,
                     run);
}
