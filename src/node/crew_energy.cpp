// SPDX-License-Identifier: Apache-2.0
#include "node/crew_energy.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "core/provenance.h"

namespace espalier {
namespace {

EnergySource source_of(const EnergyReading& reading) {
  return {reading.provenance, reading.source};
}

EnergyReading added(const EnergyReading& a, const EnergyReading& b) {
  const EnergySource weakest = weaker(source_of(a), source_of(b));
  return {a.energy + b.energy, weakest.provenance, weakest.source};
}

bool is_of_whole_machine(const EnergyReading& reading) {
  return reading.provenance != Provenance::Modelled;
}

// Of two processes of one machine.
EnergyReading on_one_machine(const EnergyReading& a, const EnergyReading& b) {
  if (is_of_whole_machine(a) != is_of_whole_machine(b)) return is_of_whole_machine(a) ? a : b;
  if (!is_of_whole_machine(a)) return added(a, b);
  return a.energy < b.energy ? b : a;
}

std::string words_of(int told, int processes, std::size_t machines) {
  if (told < processes) return fmt::format("{} of {} processes", told, processes);
  return fmt::format("{} processes on {} machine{}", processes, machines, machines == 1 ? "" : "s");
}

std::optional<double> joules_in(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || !std::isfinite(value) || value < 0) return {};
  return value;
}

std::optional<Provenance> provenance_in(const std::string& text) {
  for (const Provenance one : {Provenance::Measured, Provenance::Estimated, Provenance::Modelled})
    if (text == name_of(one)) return one;
  return {};
}

}  // namespace

std::string text_of(const EnergyPart& part) {
  return fmt::format("{}\n{}\n{}\n{}", part.machine, part.reading.energy.value,
                     name_of(part.reading.provenance), part.reading.source);
}

std::optional<EnergyPart> energy_part_in(const std::string& text) {
  std::istringstream lines(text);
  std::string machine;
  std::string joules;
  std::string label;
  std::string source;
  for (std::string* line : {&machine, &joules, &label, &source}) std::getline(lines, *line);
  const auto energy = joules_in(joules);
  const auto provenance = provenance_in(label);
  if (machine.empty() || !energy || !provenance) return {};
  return EnergyPart{machine, {{*energy}, *provenance, source}};
}

EnergyReading energy_of_all(const EnergyPart& own, std::span<const EnergyPart> others,
                            int processes) {
  if (processes < 2) return own.reading;
  std::map<std::string, EnergyReading> machines{{own.machine, own.reading}};
  for (const EnergyPart& part : others) {
    const auto [machine, is_first] = machines.emplace(part.machine, part.reading);
    if (!is_first) machine->second = on_one_machine(machine->second, part.reading);
  }
  EnergyReading sum = machines.at(own.machine);
  for (const auto& [machine, reading] : machines)
    if (machine != own.machine) sum = added(sum, reading);
  const int told = 1 + static_cast<int>(others.size());
  sum.source += "; " + words_of(told, processes, machines.size());
  return sum;
}

}  // namespace espalier
