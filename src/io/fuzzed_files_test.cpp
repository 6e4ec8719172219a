// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/architecture_json.h"
#include "io/model_file.h"
#include "io/quantity.h"
#include "io/scenario_file.h"
#include "io/scenario_writer.h"
#include "io/trace_file.h"
#include "networks/network_builder.h"
#include "networks/parameters.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {
namespace {

using support::Decoder;

// A layer of each kind.
Architecture small_architecture() {
  NetworkBuilder net("small", {1, 8, 8});
  const LayerId first = net.convolution_norm("c", {.out = 2});
  net.add("d", Convolution{.depthwise = true});
  net.add("r", Relu{});
  net.add("a", Add{}, {net.newest(), first});
  net.add("p", MaxPool{});
  net.add("g", GlobalAverage{});
  net.add("f", Flatten{});
  net.add("o", Dropout{});
  net.add("l", Linear{.out = 2});
  return std::move(net).build();
}

std::string small_model() {
  Network network{small_architecture(), {}, {}};
  network.weights = blank_weights(network.architecture);
  network.momentum["l.weight"] = network.weights["l.weight"];
  return model_bytes(network);
}

Decoder architectures() {
  return {"architecture", {to_json(small_architecture())}, [](std::string_view bytes) {
            return to_json(architecture_from_json(bytes, "a.json"));
          }};
}

Decoder models() {
  return {"model", {small_model()}, [](std::string_view bytes) {
            return model_bytes(model_from_bytes(bytes, "m.safetensors"));
          }};
}

Decoder model_pieces() {
  return {"model, tensor by tensor", {small_model()}, [](std::string_view bytes) {
            BufferSource source(bytes, "m.safetensors");
            ModelReader reader(source);
            reader.read_pieces([](const std::string&, std::span<const float>) {});
            return std::string();
          }};
}

constexpr const char* kScenario = R"(espalier: 1
name: small
goal: {loss: 0.3, deadline: "2 h", probability: 0.9}
start: {model: L, nodes: gold, loss: 2.3}
models:
  L: {}
  S: {from: L, prune: 0.75}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold, time: 10, energy: 5 kJ, learn: {rate: 0.05, floor: 0.2}}
  - {model: S, nodes: silver, time: 4, energy: 90 J, learn: {rate: 0.03, floor: 0.25}}
change:
  models:
    - {from: L, to: S, time: 2, energy: 3, jump: 0.1}
  nodes:
    - {from: gold, to: silver, time: 0.5, energy: 2}
)";

// What people are told stands for what is thrown.
Scenario scenario_in(std::string_view bytes, std::span<const Setting> settings = {}) {
  const ScenarioReading reading = read_scenario(bytes, "s.yaml", settings);
  if (reading.scenario) return *reading.scenario;
  throw Error(ErrorCode::BadInput, reading.diagnostics.at(0).text());
}

Decoder scenarios() {
  return {
      "scenario", {kScenario}, [](std::string_view bytes) { return to_yaml(scenario_in(bytes)); }};
}

// One in each line.
std::vector<Setting> settings_in(std::string_view bytes) {
  std::vector<Setting> all;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string_view value = line.substr(std::min(equals + 1, line.size()));
    all.push_back({std::string(line.substr(0, equals)), std::string(value)});
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
  }
  return all;
}

Decoder settings() {
  std::string sample;
  for (int i = 0; i < 50; ++i)
    sample += "goal.loss=0.2\nrun[1].learn={rate: 0.1}\nnodes.tin={}\ngoal.deadline=2 h\n";
  return {"settings", {sample}, [](std::string_view bytes) {
            scenario_in(kScenario, settings_in(bytes));
            return std::string();
          }};
}

Decoder traces() {
  const std::string sample = std::string(kTraceHeader) +
                             "\n1/gold,1,0,M,gold,0,5000,10,2.5,2.6,0,0,start"
                             "\n1/gold,1,6,M,gold,0.5,5000,10,1.25,1.5,0.5,2,epoch\n";
  return {"traces", {sample}, [](std::string_view bytes) {
            return trace_text(parse_traces(bytes, "t.csv"));
          }};
}

Decoder foreign_traces() {
  const std::string sample = "epoch,loss,run\n0,2.5,a\n1,,a\n2,inf,a\n0,2.4,b\n1,2,b\n";
  return {"traces from elsewhere", {sample}, [](std::string_view bytes) {
            return trace_text(parse_foreign_traces(bytes, "t.csv")).substr(0, 0);
          }};
}

Decoder quantities() {
  return {"quantity", {"90", "2 h", "500 kJ", "1.5e3 s"}, [](std::string_view bytes) {
            for (const Dimension dimension : {Dimension::Number, Dimension::Time})
              if (std::holds_alternative<double>(read_quantity(bytes, dimension))) return "";
            const auto energy = read_quantity(bytes, Dimension::Energy);
            if (const auto* fault = std::get_if<QuantityFault>(&energy))
              throw Error(ErrorCode::BadInput, fault->what);
            return "";
          }};
}

TEST(FuzzedFiles, AreRefusedOrUnderstoodAsModels) {
  support::expect_sound({architectures(), models(), model_pieces()}, support::kAllBytes);
}

TEST(FuzzedFiles, AreRefusedOrUnderstoodAsScenarios) {
  support::expect_sound({scenarios(), quantities()}, support::kAllBytes);
}

TEST(FuzzedFiles, AreRefusedOrUnderstoodAsSettings) {
  support::expect_sound({settings()}, support::kAllBytes);
}

TEST(FuzzedFiles, AreRefusedOrUnderstoodAsTraces) {
  support::expect_sound({traces(), foreign_traces()}, support::kAllBytes);
}

}  // namespace
}  // namespace espalier
