// SPDX-License-Identifier: Apache-2.0
// Claim: VGG-11 of a quarter width learns 9,000 images of CIFAR-10 to a training loss below 0.5
// within 40 epochs; pruned by half at epoch 20 it is back at the loss it had within 15 epochs.
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "datasets/cifar.h"
#include "datasets/data_folder.h"
#include "io/workload_words.h"
#include "networks/network_catalogue.h"
#include "program.h"
#include "report.h"
#include "svg_plot.h"
#include "training/compression.h"
#include "training/fresh_weights.h"
#include "training/passive_threads.h"
#include "training/torch/torch_learner.h"

namespace espalier::bench {
namespace {

constexpr double kGoal = 0.5;
constexpr int kEpochsToGoal = 40;
constexpr int kEpochsToRecover = 15;

struct Settings {
  std::string folder;  // of CIFAR-10's binary files
  uint32_t images = 9000;
  double width = 0.25;
  int epochs = 40;
  int prune_at = 20;
  double prune = 0.5;
  PruningCriterion criterion = PruningCriterion::GroupL2;
  LearnerOptions learner{
      .learning_rate = 0.05, .schedule = {.kind = RateSchedule::Cosine}, .jitter = 4};
  std::string csv;
  std::string svg;
  std::string json;
};

struct CurvePoint {
  int epoch = 0;  // finished epochs
  Loss loss{};
  Seconds time{};
};
using Curve = std::vector<CurvePoint>;

SampleList first_samples(uint32_t count) {
  SampleList samples;
  for (uint32_t i = 0; i < count; ++i) samples.push_back(i);
  return samples;
}

Network fresh_vgg(const Settings& settings) {
  return fresh_network(build_network("vgg11", {.width = settings.width}), settings.learner.seed);
}

// Goes on from epoch `first`; rows are told as they come. `middle`, where wanted, becomes the
// network at the epoch of the pruning.
Curve train(Report& report, const std::string& name, const Network& start, const Samples& samples,
            const Settings& settings, int first, Network* middle) {
  const auto learner = torch_learner(start, settings.learner);
  Curve curve;
  for (int epoch = first; epoch < settings.epochs; ++epoch) {
    if (epoch == settings.prune_at && middle != nullptr) *middle = learner->network();
    const EpochOutcome outcome = learner->train(samples, {epoch, {}});
    curve.push_back({epoch + 1, outcome.loss, outcome.time});
    report.add({name, static_cast<int64_t>(epoch + 1), outcome.loss.value,
                static_cast<double>(outcome.samples) / outcome.time.value,
                100 * (outcome.preparing / outcome.time)});
    if (outcome.end != EpochEnd::Finished) report.fail(name + " diverged");
    if (outcome.end != EpochEnd::Finished) break;
  }
  return curve;
}

std::optional<int> first_epoch_below(const Curve& curve, double loss) {
  for (const CurvePoint& point : curve) {
    if (point.loss.value < loss) return point.epoch;
  }
  return std::nullopt;
}

double loss_after(const Curve& curve, int epoch) {
  for (const CurvePoint& point : curve) {
    if (point.epoch == epoch) return point.loss.value;
  }
  throw Error(ErrorCode::BadInput, "learning_curve: nothing was trained before the pruning");
}

void conclude_goal(Report& report, const Curve& full) {
  const auto reached = first_epoch_below(full, kGoal);
  const std::string when = reached ? fmt::format("in epoch {}", *reached) : "never";
  report.conclude(fmt::format("A training loss below {} was reached {}; claimed: within {} epochs.",
                              kGoal, when, kEpochsToGoal));
  if (!reached || *reached > kEpochsToGoal) report.fail("the goal was missed");
}

void conclude_recovery(Report& report, const Curve& pruned, double before, int at) {
  const auto recovered = first_epoch_below(pruned, before);
  const std::string when = recovered ? fmt::format("{} epochs", *recovered - at) : "no time";
  report.conclude(fmt::format("Pruned, it was back below {:.3f} within {}; claimed: {}.", before,
                              when, kEpochsToRecover));
  if (!recovered || *recovered - at > kEpochsToRecover) report.fail("the loss was not recovered");
}

void write_csv(const std::string& path, const Curve& full, const Curve& pruned) {
  std::ofstream file(path);
  file << "curve,epoch,loss,seconds\n";
  const auto write = [&](const char* name, const Curve& curve) {
    for (const CurvePoint& p : curve) {
      file << fmt::format("{},{},{},{}\n", name, p.epoch, p.loss.value, p.time.value);
    }
  };
  write("full", full);
  write("pruned", pruned);
  if (!file.flush()) throw Error(ErrorCode::RunFailed, path + ": cannot be written");
}

Series series_of(const std::string& name, const Curve& curve) {
  Series series{name, {}};
  for (const CurvePoint& point : curve) {
    series.points.push_back({static_cast<double>(point.epoch), point.loss.value});
  }
  return series;
}

void write_figure(const std::string& path, const Curve& full, const Curve& pruned) {
  write_svg({.title = "VGG-11 on CIFAR-10",
             .x_label = "epoch",
             .y_label = "training loss",
             .series = {series_of("full", full), series_of("pruned", pruned)},
             .scale = Scale::Linear},
            path);
}

int run(const Settings& given) {
  Settings settings = given;
  settings.learner.schedule.epochs = settings.epochs;
  const Dataset data =
      read_cifar10(settings.folder.empty() ? default_data_folder() / "cifar10"
                                           : std::filesystem::path(settings.folder));
  const Samples samples(data.train, first_samples(settings.images));
  Report report("A quarter of VGG-11 learns CIFAR-10, and recovers from being pruned by half.",
                {"network", "epoch", "loss", "images/s", "preparing %"});
  const Network start = fresh_vgg(settings);
  Network middle;
  const Curve full = train(report, "full", start, samples, settings, 0, &middle);
  const PruningOptions options{.ratios = {.ratio = settings.prune, .round_to = 8},
                               .scores = {.criterion = settings.criterion}};
  const CompressionOutcome compressed = compress_by_pruning(
      middle, start.architecture, options, samples, torch_learners(settings.learner));
  const Curve pruned =
      train(report, "pruned", compressed.network, samples, settings, settings.prune_at, nullptr);
  report.conclude(fmt::format("Pruning took {:.2f} s; evaluated loss {:.3f} before, {:.3f} after.",
                              compressed.time.value, compressed.before.loss.value,
                              compressed.after.loss.value));
  conclude_goal(report, full);
  conclude_recovery(report, pruned, loss_after(full, settings.prune_at), settings.prune_at);
  if (!settings.csv.empty()) write_csv(settings.csv, full, pruned);
  if (!settings.svg.empty()) write_figure(settings.svg, full, pruned);
  return report.finish(settings.json);
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--data", settings.folder, "folder of CIFAR-10; where scripts/get-data put it");
  app.add_option("--images", settings.images, "of the training images, the first ones");
  app.add_option("--width", settings.width, "factor on the channels of VGG-11");
  app.add_option("--epochs", settings.epochs, "in all");
  app.add_option("--prune-at", settings.prune_at, "epochs before the pruning");
  app.add_option("--prune", settings.prune, "part of the channels that goes");
  std::map<std::string, PruningCriterion> criteria;
  for (std::size_t i = 0; i < kCriteria.size(); ++i)
    criteria[std::string(kCriteria[i])] = static_cast<PruningCriterion>(i);
  app.add_option("--criterion", settings.criterion, "which channels go")
      ->transform(CLI::CheckedTransformer(criteria));
  app.add_option("--jitter", settings.learner.jitter, "pixels by which images are shifted");
  app.add_option("--rate", settings.learner.learning_rate,
                 "learning rate; falls to nothing along a cosine");
  app.add_flag_callback(
      "--constant", [&settings] { settings.learner.schedule.kind = RateSchedule::Constant; },
      "leave the learning rate as it is");
  app.add_option("--seed", settings.learner.seed, "decides the first weights and the order");
  app.add_option("--threads", settings.learner.threads, "cores to use");
  app.add_option("--csv", settings.csv, "write the curves to this file");
  app.add_option("--svg", settings.svg, "write a figure to this file");
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
  using namespace espalier;
  using namespace espalier::bench;
  wait_passively(argv);
  return run_program(argc, argv, "Trains VGG-11 on CIFAR-10, with and without pruning halfway.",
                     add_options, run);
}
