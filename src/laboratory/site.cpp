// SPDX-License-Identifier: Apache-2.0
#include "laboratory/site.h"

#include <algorithm>

#include "energy/device_catalogue.h"

namespace espalier {
namespace {

constexpr const char* kThisMachine = "local";

StepCost modelled(const Device& device, const Work& work) {
  const ModelledCost busiest = cost_of(device, work.busiest);
  const ModelledCost all = cost_of(device, work.all);
  return {busiest.time, all.energy, all.provenance, all.source};
}

}  // namespace

Site::Site(const std::string& device) {
  if (!device.empty() && device != kThisMachine) device_ = find_device(device);
}

StepCost Site::cost_of(const Work& work, const Watched& watched) const {
  if (device_) return modelled(*device_, work);
  return {watched.slowest, watched.all.energy, watched.all.provenance, watched.all.source};
}

StepCost Site::arrival(int64_t bytes, const Site& from) const {
  if (!device_ && !from.device_) return {};
  const Device& here = device_ ? *device_ : *from.device_;
  const Device& there = from.device_ ? *from.device_ : here;
  const Uplink& slower = here.link.rate < there.link.rate ? here.link : there.link;
  const Seconds time{static_cast<double>(bytes) / slower.rate.value};
  return {time, here.idle * time, Provenance::Modelled, here.name + " idle, over " + slower.name};
}

}  // namespace espalier
