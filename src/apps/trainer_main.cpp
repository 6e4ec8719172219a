// SPDX-License-Identifier: Apache-2.0
// The program that trains, beside the one that does everything else: nobody who only plans waits
// for libtorch to be loaded.
#include "datasets/data_folder.h"
#include "energy/local_device.h"
#include "energy/modelled_meter.h"
#include "energy/system_clocks.h"
#include "experiments/serve_laboratory.h"
#include "laboratory/safetensors_format.h"
#include "laboratory/training_laboratory.h"
#include "training/torch/torch_learner.h"

int main(int argc, char** argv) {
  using namespace espalier;
  const SteadyClock clock;
  const ProcessCpuClock cpu;
  // Trainers work side by side: a counter of the whole machine would count each of them for all.
  const LocalDevice here = find_local_device();
  LoadModelMeter meter(here.device, here.processors, {clock, cpu});
  const auto make = [&](const Scenario& scenario) {
    OpenOptions data;
    data.data_folder = default_data_folder();
    return std::make_unique<TrainingLaboratory>(
        scenario, LaboratoryTools{std::move(data), torch_learners, meter, clock});
  };
  return trainer_main(argc, argv, make, SafetensorsFormat{});
}
