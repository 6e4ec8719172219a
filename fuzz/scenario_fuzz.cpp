// SPDX-License-Identifier: Apache-2.0
// Any bytes as a scenario file: no crash, no hang, and a sound scenario survives the round trip.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "io/scenario_file.h"
#include "io/scenario_writer.h"

namespace {

void check_round_trip(const espalier::Scenario& scenario) {
  const std::string text = espalier::to_yaml(scenario);
  const auto again = espalier::read_scenario(text, "again.yaml");
  if (!again.scenario || espalier::to_yaml(*again.scenario) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  // What comes before the first NUL byte is a setting, if there is one.
  const std::size_t end = text.find('\0');
  const std::size_t equals = text.substr(0, end).find('=');
  std::vector<espalier::Setting> settings;
  std::string_view file = text;
  if (end != std::string_view::npos && equals != std::string_view::npos) {
    settings.push_back({std::string(text.substr(0, equals)),
                        std::string(text.substr(equals + 1, end - equals - 1))});
    file = text.substr(end + 1);
  }
  const auto reading = espalier::read_scenario(file, "fuzz.yaml", settings);
  for (const auto& diagnostic : reading.diagnostics) {
    if (diagnostic.text().empty()) std::abort();
  }
  if (reading.scenario) check_round_trip(*reading.scenario);
  return 0;
}
