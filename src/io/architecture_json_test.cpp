// SPDX-License-Identifier: Apache-2.0
#include "io/architecture_json.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "support/networks/random_network.h"

namespace espalier {
namespace {

const std::string kSoundNetwork =
    R"({"name":"tiny","input":[1,4,4],"layers":[)"
    R"({"name":"conv","kind":"convolution","inputs":[-1],"depthwise":false,"out":2,"kernel":3,)"
    R"("stride":1,"padding":1,"bias":true},)"
    R"({"name":"relu","kind":"relu","inputs":[0],"ceiling":6.5},)"
    R"({"name":"sum","kind":"add","inputs":[0,1]},)"
    R"({"name":"flatten","kind":"flatten","inputs":[2]},)"
    R"({"name":"classifier","kind":"linear","inputs":[3],"out":2,"bias":true}]})";

std::string architecture_fault(const std::string& text) {
  try {
    architecture_from_json(text, "net.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

// The architecture_fault once the first `old` in the sound text is `now`.
std::string fault_with(const std::string& old, const std::string& now) {
  std::string text = kSoundNetwork;
  text.replace(text.find(old), old.size(), now);
  return architecture_fault(text);
}

TEST(ArchitectureJson, ReadsWhatIsWritten) {
  const Architecture tiny = architecture_from_json(kSoundNetwork, "net.json");
  EXPECT_EQ(to_json(tiny), kSoundNetwork);
  EXPECT_EQ(std::get<Convolution>(tiny.layers[0].kind).out, 2);
  EXPECT_EQ(std::get<Relu>(tiny.layers[1].kind).ceiling, 6.5);
  EXPECT_EQ(tiny.layers[2].inputs, (std::vector<LayerId>{{0}, {1}}));
}

TEST(ArchitectureJson, EveryNetworkSurvivesTheRoundTrip) {
  for (const CatalogueNetwork& network : all_networks()) {
    const Architecture built = network.build({.width = 0.3, .classes = 100});
    EXPECT_EQ(architecture_from_json(to_json(built), "x"), built);
  }
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Architecture random = support::random_architecture(seed);
    EXPECT_EQ(architecture_from_json(to_json(random), "x"), random);
  }
}

TEST(ArchitectureJson, KeysAreExactlyThoseOfTheKind) {
  EXPECT_EQ(fault_with(R"("stride":1)", R"("strid":1)"), "net.json: layers[0] has no 'stride'");
  EXPECT_EQ(fault_with(R"("ceiling":6.5)", R"("ceiling":6.5,"bias":true)"),
            "net.json: layers[1] has an unknown key 'bias'");
  EXPECT_EQ(fault_with(R"("name":"tiny")", R"("name":"tiny","inptu":1)"),
            "net.json: has an unknown key 'inptu'; did you mean 'input'?");
  EXPECT_EQ(fault_with(R"("stride":1)", R"("stride":1,"stride":2)"),
            "net.json: the key 'stride' appears twice");
  // A depth-wise convolution has as many channels out as in.
  EXPECT_EQ(fault_with(R"("depthwise":false)", R"("depthwise":true)"),
            "net.json: layers[0] has an unknown key 'out'");
}

TEST(ArchitectureJson, ValuesAreOfTheirType) {
  EXPECT_EQ(fault_with(R"("stride":1)", R"("stride":1.0)"),
            "net.json: layers[0].stride is number instead of an integer");
  EXPECT_EQ(fault_with(R"("stride":1)", R"("stride":18446744073709551615)"),
            "net.json: layers[0].stride is too large");
  EXPECT_EQ(fault_with(R"("bias":true)", R"("bias":1)"),
            "net.json: layers[0].bias is number instead of true or false");
  EXPECT_EQ(fault_with(R"("ceiling":6.5)", R"("ceiling":null)"),
            "net.json: layers[1].ceiling is null instead of a number");
  EXPECT_EQ(fault_with(R"("ceiling":6.5)", R"("ceiling":1e999)"),
            "net.json: JSON with a number that is too large");
  EXPECT_EQ(fault_with(R"([1,4,4])", R"([1,4])"),
            "net.json: input is not [channels, height, width]");
  EXPECT_EQ(fault_with(R"("inputs":[0,1])", R"("inputs":[0,9999999999])"),
            "net.json: layers[2].inputs[1] is 9999999999, which is no layer");
  EXPECT_EQ(fault_with(R"("relu","kind":"relu")", R"("relu","kind":"rely")"),
            "net.json: layers[1].kind is 'rely', which is no kind of layer; did you mean 'relu'?");
  EXPECT_EQ(architecture_fault("[]"), "net.json: is array instead of an object");
}

TEST(ArchitectureJson, TheNetworkIsValid) {
  EXPECT_EQ(fault_with(R"("name":"sum")", R"("name":"conv")"),
            "net.json: layer 'conv': an earlier layer has this name");
  EXPECT_EQ(fault_with(R"("stride":1)", R"("stride":0)"),
            "net.json: layer 'conv': has 0 as stride");
}

TEST(ArchitectureJson, WhatIsNoJsonIsRefused) {
  EXPECT_EQ(architecture_fault(""), "net.json: not JSON at byte 1");
  EXPECT_EQ(architecture_fault(kSoundNetwork + "x"),
            "net.json: not JSON at byte " + std::to_string(kSoundNetwork.size() + 1));
  EXPECT_NE(architecture_fault("{\"name\":\"\xff\"}"), "");
  EXPECT_EQ(architecture_fault(std::string(100'000, '[')), "net.json: nested too deeply");
  EXPECT_EQ(architecture_fault(std::string((1 << 20) + 1, ' ')),
            "net.json: larger than 1 MiB, too large for an architecture");
  for (std::size_t size = 0; size < kSoundNetwork.size(); ++size) {
    EXPECT_NE(architecture_fault(kSoundNetwork.substr(0, size)), "") << size;
  }
}

TEST(ArchitectureJson, TooManyLayersAreRefusedEarly) {
  std::string layers;
  for (int i = 0; i < 2000; ++i) layers += R"({"name":"a","kind":"flatten","inputs":[0]},)";
  layers.pop_back();
  EXPECT_EQ(architecture_fault(R"({"name":"deep","input":[1,4,4],"layers":[)" + layers + "]}"),
            "net.json: layers has more than 1024");
}

}  // namespace
}  // namespace espalier
