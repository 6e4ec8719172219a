// SPDX-License-Identifier: Apache-2.0
// GPUs on cards. Board power and single-precision peak are the manufacturer's; idle powers are what
// users commonly report, without a display; the share of the peak that training reaches is ours.
#include "energy/device_table.h"

namespace espalier {
namespace {

struct Bus {
  const char* name;
  double gigabytes_per_second;  // 16 lanes, one way, after encoding
};

constexpr Bus kPcie3{"PCIe 3.0 x16", 15.75};
constexpr Bus kPcie4{"PCIe 4.0 x16", 31.5};
constexpr Bus kPcie5{"PCIe 5.0 x16", 63};

struct GpuRow {
  const char* name;
  double tdp;
  double idle;
  double peak_tera;
  Bus bus;
  const char* source;
};

constexpr double kGpuEfficiency = 0.35;

constexpr GpuRow kGpus[] = {
    {"p100", 250, 30, 9.3, kPcie3, "NVIDIA Tesla P100 PCIe data sheet"},
    {"v100-pcie", 250, 25, 14.0, kPcie3, "NVIDIA V100 data sheet"},
    {"v100-sxm2", 300, 40, 15.7, kPcie3, "NVIDIA V100 data sheet"},
    {"t4", 70, 10, 8.1, kPcie3, "NVIDIA T4 data sheet"},
    {"a100-pcie", 250, 40, 19.5, kPcie4, "NVIDIA A100 data sheet (40 GB, PCIe)"},
    {"a100-sxm", 400, 55, 19.5, kPcie4, "NVIDIA A100 data sheet (SXM)"},
    {"l4", 72, 13, 30.3, kPcie4, "NVIDIA L4 data sheet"},
    {"h100-pcie", 350, 50, 51.0, kPcie5, "NVIDIA H100 data sheet (PCIe)"},
    {"h100-sxm", 700, 70, 67.0, kPcie5, "NVIDIA H100 data sheet (SXM)"},
    {"rtx-a4000", 140, 15, 19.2, kPcie4, "NVIDIA RTX A4000 data sheet"},
    {"rtx-a6000", 300, 22, 38.7, kPcie4, "NVIDIA RTX A6000 data sheet"},
    {"gtx-1080-ti", 250, 10, 11.3, kPcie3, "NVIDIA GeForce GTX 1080 Ti specification"},
    {"rtx-2080-ti", 250, 15, 13.4, kPcie3, "NVIDIA GeForce RTX 2080 Ti specification"},
    {"rtx-3060", 170, 12, 12.7, kPcie4, "NVIDIA GeForce RTX 3060 (12 GB) specification"},
    {"rtx-3090", 350, 20, 35.6, kPcie4, "NVIDIA GeForce RTX 3090 specification"},
    {"rtx-4090", 450, 20, 82.6, kPcie4, "NVIDIA GeForce RTX 4090 specification"},
};

}  // namespace

std::vector<Device> table_of_gpus() {
  std::vector<Device> devices;
  for (const GpuRow& row : kGpus) {
    devices.push_back({.name = row.name,
                       .kind = DeviceKind::Gpu,
                       .tdp = {row.tdp},
                       .idle = {row.idle},
                       .peak = {row.peak_tera * 1e12},
                       .efficiency = kGpuEfficiency,
                       .threads = 0,
                       .link = {row.bus.name, {row.bus.gigabytes_per_second * 1e9}},
                       .grounding = Grounding::Specified,
                       .source = row.source,
                       .known_as = {}});
  }
  return devices;
}

}  // namespace espalier
