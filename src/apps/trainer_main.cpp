// SPDX-License-Identifier: Apache-2.0
// The program that trains, beside the one that does everything else: nobody who only plans waits
// for libtorch to be loaded.
#include <cstdlib>

#include "cli/cli.h"
#include "datasets/data_folder.h"
#include "energy/meter_choice.h"
#include "energy/system_clocks.h"
#include "estimation/torch/fit_estimators.h"
#include "experiments/serve_laboratory.h"
#include "laboratory/training_laboratory.h"
#include "node/torch/crew.h"
#include "trainer/fit_command.h"
#include "trainer/node_command.h"
#include "trainer/node_link.h"
#include "trainer/profile_command.h"
#include "training/torch/torch_learner.h"

namespace espalier {
namespace {

OpenOptions where_data_is() {
  OpenOptions options;
  options.data_folder = default_data_folder();
  return options;
}

// Where the counters of the processors are; elsewhere in some containers.
MeterOptions where_counters_are() {
  MeterOptions options;
  if (const char* root = std::getenv("ESPALIER_POWERCAP")) options.rapl.root = root;
  return options;
}

// For a collector: trainers work side by side, and a counter of the whole machine would count each
// of them for all. So their energy is modelled by the load that each causes.
int serve(int argc, char** argv) {
  const SteadyClock clock;
  const ProcessCpuClock cpu;
  const LocalDevice here = find_local_device();
  LoadModelMeter meter(here.device, here.processors, {clock, cpu});
  return trainer_main(argc, argv, [&](const Scenario& scenario) {
    return std::make_unique<TrainingLaboratory>(
        scenario, LaboratoryTools{where_data_is(), torch_learners, meter, clock});
  });
}

// Processes that share batches; the leader lives as long as the learners that it makes.
CrewTools crews(const NodeMeters& meters, const Clock& clock) {
  return {[](const CrewAddress& address, const Images& images, const Say& say,
             const std::stop_token& stop) -> std::optional<Trainers> {
            CrewOptions options;
            options.say = say;
            const std::shared_ptr<CrewLeader> leader =
                CrewLeader::gather(address, images, options, stop);
            if (!leader) return std::nullopt;
            return Trainers{
                [leader](const LearnerOptions& how) { return leader->learners()(how); },
                [leader](const EnergyReading& own) { return leader->with_others(own); }};
          },
          [&meters, &clock](const CrewAddress& address, const Images& images, const Say& say,
                            const std::stop_token& stop) {
            CrewOptions options;
            options.say = say;
            follow(address, {images, meters, clock}, options, stop);
          }};
}

// For a person, alone on the machine: the best meter that there is.
int run_command(int argc, char** argv) {
  const SteadyClock clock;
  const ProcessCpuClock cpu;
  const MeterChoice choice = choose_meter(where_counters_are(), {clock, cpu});
  const auto laboratory = [&](const Scenario& scenario) {
    return std::make_unique<TrainingLaboratory>(
        scenario, LaboratoryTools{where_data_is(), torch_learners, *choice.meter, clock});
  };
  const ProfileTools tools{laboratory, clock, explain(choice)};
  const FitTools fit_tools{{fit_run_estimator, fit_change_estimator}, clock};
  const LocalDevice here = find_local_device();
  LoadModelMeter modelled(here.device, here.processors, {clock, cpu});
  const NodeMeters meters{*choice.meter, modelled};
  const NodeTools node_tools{where_data_is(), torch_learners,  crews(meters, clock),
                             meters,          explain(choice), clock,
                             node_link};
  return run_cli(argc, argv, [&](CLI::App& app, Invocation& call) {
    add_node_command(app, call, node_tools);
    add_real_profile_command(app, call, tools);
    add_real_fit_command(app, call, fit_tools);
  });
}

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
  return espalier::is_started_by_collector() ? espalier::serve(argc, argv)
                                             : espalier::run_command(argc, argv);
}
