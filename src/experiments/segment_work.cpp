// SPDX-License-Identifier: Apache-2.0
#include "experiments/segment_work.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/run_id.h"
#include "io/model_file.h"

namespace espalier {
namespace {

NodeSetId node_set_named(const Scenario& scenario, const std::string& name) {
  for (std::size_t i = 0; i < scenario.node_sets.size(); ++i) {
    if (scenario.node_sets[i].name == name) return {static_cast<std::int32_t>(i)};
  }
  throw Error(ErrorCode::RunFailed, "there is no node set '" + name + "' in the scenario",
              "start the collection again");
}

RunPlace place_in_tree(const std::string& run) {
  const auto place = place_of(run);
  if (!place) throw Error(ErrorCode::RunFailed, "'" + run + "' is no run", "report this as a bug");
  return *place;
}

// One order being carried out.
class Shift {
 public:
  Shift(const Order& order, const Bench& bench, const std::function<void(const Answer&)>& tell)
      : order_(order),
        bench_(bench),
        tell_(tell),
        place_(place_in_tree(order.run)),
        nodes_(node_set_named(bench.scenario, place_.nodes)) {}

  void carry_out() {
    Network network = first_network();
    if (place_.ratio) {
      network = pruned(std::move(network));
    } else {
      if (order_.from == 0) look_at(network);
      for (int step = order_.from; step < order_.to; ++step)
        network = trained(std::move(network), place_.epochs_before + step);
    }
    if (!order_.keeps_network) return;
    save_model(network, bench_.folder.network_file(order_.run, order_.to));
  }

 private:
  Network first_network() const {
    if (order_.from > 0) return load_model(bench_.folder.network_file(order_.run, order_.from));
    if (!place_.origin) return bench_.laboratory.fresh(place_.seed);
    const RunOrigin& origin = *place_.origin;
    return load_model(bench_.folder.network_file(origin.run, origin.steps));
  }

  Situation after(int epochs) const { return {nodes_, place_.seed, epochs}; }

  void look_at(const Network& network) {
    const bool is_fresh = !place_.origin;
    const auto from = is_fresh
                          ? std::nullopt
                          : std::optional(node_set_named(bench_.scenario, place_.nodes_before));
    const Observed found = bench_.laboratory.arrive(network, after(place_.epochs_before), from);
    report(is_fresh ? TraceEvent::Start : TraceEvent::HandOver, place_.epochs_before, found);
  }

  Network trained(Network network, int epochs_before) {
    Changed changed = bench_.laboratory.train(std::move(network), after(epochs_before));
    report(TraceEvent::Epoch, epochs_before + 1, {changed.losses, changed.cost});
    return std::move(changed.network);
  }

  Network pruned(Network network) {
    Changed changed =
        bench_.laboratory.prune(std::move(network), after(place_.epochs_before), place_.prune);
    report(TraceEvent::Prune, place_.epochs_before, {changed.losses, changed.cost});
    return std::move(changed.network);
  }

  void report(TraceEvent event, int epoch, const Observed& observed) {
    refuse_divergence(epoch, observed.losses);
    const NodeDataSpec& data = bench_.scenario.training->nodes[nodes_.pos()];
    if (!observed.cost.source.empty())
      tell_(EnergySource{observed.cost.provenance, observed.cost.source});
    tell_(TraceRow{.run = order_.run,
                   .seed = place_.seed,
                   .epoch = epoch,
                   .model = version_name(bench_.scenario, place_.prune),
                   .nodes = place_.nodes,
                   .prune = place_.prune,
                   .samples = data.samples,
                   .classes = data.classes,
                   .loss = observed.losses.training,
                   .val_loss = observed.losses.validation,
                   .time = observed.cost.time,
                   .energy = observed.cost.energy,
                   .event = event});
  }

  void refuse_divergence(int epoch, const Losses& losses) const {
    if (std::isfinite(losses.training.value) && std::isfinite(losses.validation.value)) return;
    throw Error(ErrorCode::RunFailed,
                fmt::format("run {}: the loss is not a number after epoch {}", order_.run, epoch),
                "the training diverges; lower training.learning_rate");
  }

  const Order& order_;
  const Bench& bench_;
  const std::function<void(const Answer&)>& tell_;
  const RunPlace place_;
  const NodeSetId nodes_;
};

}  // namespace

std::string version_name(const Scenario& scenario, double prune) {
  const auto& models = scenario.models;
  const auto named = [&](double share) {
    return std::find_if(models.begin(), models.end(), [&](const ModelSpec& model) {
      return std::abs(model.prune - share) < 1e-9;
    });
  };
  if (const auto found = named(prune); found != models.end()) return found->name;
  const auto full = named(0);
  const std::string stem = full == models.end() ? "full" : full->name.substr(0, 40);
  return fmt::format("{}-{:.6g}", stem, prune);
}

void carry_out(const Order& order, const Bench& bench,
               const std::function<void(const Answer&)>& tell) {
  Shift(order, bench, tell).carry_out();
}

}  // namespace espalier
