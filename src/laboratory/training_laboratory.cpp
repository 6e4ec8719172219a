// SPDX-License-Identifier: Apache-2.0
#include "laboratory/training_laboratory.h"

#include <algorithm>
#include <limits>

#include "core/provenance.h"
#include "networks/network_catalogue.h"
#include "training/compression.h"
#include "training/cooperation.h"
#include "training/fresh_weights.h"

namespace espalier {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<Site> sites_of(const TrainingSpec& spec) {
  std::vector<Site> sites;
  for (const NodeDataSpec& nodes : spec.nodes) sites.emplace_back(nodes.device);
  return sites;
}

Flops flops_of(double each, std::size_t samples) { return {each * static_cast<double>(samples)}; }

// What a part of the time took: an estimate, even of what was measured.
EnergyUse part_of(EnergyUse use, Seconds time) {
  const double share = use.time.value > 0 ? std::min(1.0, time / use.time) : 1;
  return {use.energy * share, time, weaker(use.provenance, Provenance::Estimated), use.source};
}

Seconds slowest(const CooperationOutcome& outcome) {
  Seconds longest{};
  for (const MemberOutcome& member : outcome.members) longest = std::max(longest, member.time);
  return longest;
}

}  // namespace

TrainingLaboratory::TrainingLaboratory(const Scenario& scenario, LaboratoryTools tools)
    : spec_(*scenario.training),
      tools_(std::move(tools)),
      data_(scenario, tools_.data),
      full_(build_network(spec_.network, {spec_.width, data_.classes(), data_.shape()})),
      sites_(sites_of(spec_)) {}

Network TrainingLaboratory::fresh(std::uint64_t seed) { return fresh_network(full_, seed); }

Observed TrainingLaboratory::arrive(const Network& network, const Situation& at,
                                    std::optional<NodeSetId> from) {
  const Site& origin = sites_[from.value_or(at.nodes).pos()];
  const auto bytes = from ? bytes_of(network.architecture) : 0;
  return {losses(network, at), site(at).arrival(bytes, origin)};
}

Changed TrainingLaboratory::train(Network network, const Situation& at) {
  const Work work = training_work(network.architecture, at);
  const Stopwatch watch(tools_.meter, tools_.clock);
  CooperationOutcome outcome = train_together(network, data_.members(at.nodes), {at.epoch, {}},
                                              {spec_.local_epochs}, learners(at));
  const Watched watched{slowest(outcome), watch.elapsed()};
  const bool finished = outcome.end == EpochEnd::Finished;
  const Losses after = finished ? losses(outcome.network, at) : Losses{{kNone}, {kNone}};
  return {std::move(outcome.network), after, site(at).cost_of(work, watched)};
}

Changed TrainingLaboratory::prune(Network network, const Situation& at, double gone) {
  const Samples& own = data_.glance(at.nodes);
  const Stopwatch watch(tools_.meter, tools_.clock);
  CompressionOutcome outcome =
      compress_by_pruning(network, full_, pruning(at, gone), own, learners(at));
  const Watched watched{outcome.time, part_of(watch.elapsed(), outcome.time)};
  // A forward pass of the small network; for Taylor both passes of the large one.
  const auto forward = static_cast<double>(cost_of(outcome.network.architecture).flops);
  const auto training = static_cast<double>(training_flops(cost_of(network.architecture)));
  const std::size_t scored = samples_to_score(spec_.criterion, own.size());
  const Flops work = flops_of(forward, own.size()) + flops_of(training, scored);
  const Losses after = losses(outcome.network, at);
  return {std::move(outcome.network), after, site(at).cost_of({work, work}, watched)};
}

std::vector<StepCost> TrainingLaboratory::try_epoch(const Network& network, const Situation& at,
                                                    const Trial& trial) {
  const Work work = training_work(network.architecture, at);
  if (!site(at).is_this_machine()) return {site(at).cost_of(work, {})};
  const Samples some = data_.glance(at.nodes).first(trial.images);
  const Flops done =
      flops_of(static_cast<double>(training_flops(cost_of(network.architecture))), some.size());
  const auto learner = learners(at)(network);
  learner->train(some, {0, {}});
  std::vector<StepCost> costs;
  for (int i = 0; i < trial.repetitions; ++i) {
    const Stopwatch watch(tools_.meter, tools_.clock);
    learner->train(some, {i + 1, {}});
    EnergyUse use = watch.elapsed();
    use.energy = use.energy * (work.all / done);
    costs.push_back(site(at).cost_of(work, {use.time * (work.busiest / done), use}));
  }
  return costs;
}

StepCost TrainingLaboratory::arrival(int64_t bytes, NodeSetId from, NodeSetId to) const {
  return sites_[to.pos()].arrival(bytes, sites_[from.pos()]);
}

Architecture TrainingLaboratory::version(double gone) const {
  return pruned_architecture(full_, {gone, {}, spec_.round_to});
}

LearnerFactory TrainingLaboratory::learners(const Situation& at) const {
  LearnerOptions options;
  options.batch = spec_.batch;
  options.learning_rate = spec_.learning_rate;
  options.momentum = spec_.momentum;
  options.weight_decay = spec_.weight_decay;
  options.schedule.kind = spec_.schedule;
  options.jitter = spec_.jitter;
  options.seed = at.seed;
  return tools_.learners(options);
}

PruningOptions TrainingLaboratory::pruning(const Situation& at, double gone) const {
  return {{gone, {}, spec_.round_to}, {spec_.criterion, nullptr, at.seed}};
}

Losses TrainingLaboratory::losses(const Network& network, const Situation& at) const {
  const auto learner = learners(at)(network);
  return {learner->evaluate(data_.glance(at.nodes)).loss,
          learner->evaluate(data_.held_back()).loss};
}

Work TrainingLaboratory::training_work(const Architecture& architecture,
                                       const Situation& at) const {
  const double each =
      static_cast<double>(training_flops(cost_of(architecture))) * spec_.local_epochs;
  Work work;
  for (const Member& member : data_.members(at.nodes)) {
    const Flops own = flops_of(each, member.samples.size());
    work.busiest = std::max(work.busiest, own);
    work.all += own;
  }
  return work;
}

}  // namespace espalier
