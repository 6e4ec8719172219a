// SPDX-License-Identifier: Apache-2.0
#include "networks/validation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/error.h"
#include "networks/architecture_limits.h"
#include "networks/network_catalogue.h"
#include "networks/parameters.h"

namespace espalier {
namespace {

// image → conv → norm → relu → flatten → classifier
Architecture chain() {
  return {"chain",
          {3, 8, 8},
          {{"conv", Convolution{.out = 4}, {kImage}},
           {"norm", BatchNorm{}, {{0}}},
           {"relu", Relu{}, {{1}}},
           {"flatten", Flatten{}, {{2}}},
           {"classifier", Linear{.out = 2}, {{3}}}}};
}

std::string fault(const Architecture& architecture) {
  try {
    validate(architecture);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

std::string fault(const Network& network) {
  try {
    validate(network);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::BadInput);
    return error.what();
  }
  return "";
}

// What is wrong once layer `index` of the chain is of another kind.
std::string fault_with(std::size_t index, LayerKind kind) {
  Architecture architecture = chain();
  architecture.layers[index].kind = std::move(kind);
  return fault(architecture);
}

TEST(Validation, AcceptsASoundNetwork) { EXPECT_EQ(fault(chain()), ""); }

TEST(Validation, NamesAreUniqueAndSafe) {
  Architecture architecture = chain();
  architecture.layers[2].name = "conv";
  EXPECT_EQ(fault(architecture), "layer 'conv': an earlier layer has this name");
  for (const std::string name : {"", "a/b", "a b", "ä", "a\n"}) {
    EXPECT_FALSE(is_safe_name(name));
    architecture.layers[2].name = name;
    EXPECT_NE(fault(architecture).find("this name is not allowed"), std::string::npos) << name;
  }
  EXPECT_FALSE(is_safe_name(std::string(65, 'a')));
  EXPECT_TRUE(is_safe_name(std::string(64, 'a')));
  architecture = chain();
  architecture.name = "../x";
  EXPECT_EQ(fault(architecture), "the network's name '../x' is not allowed");
}

TEST(Validation, InputsComeBeforeTheLayer) {
  for (const int input : {2, 3, 99, -2}) {
    Architecture architecture = chain();
    architecture.layers[2].inputs = {{input}};
    EXPECT_EQ(fault(architecture),
              "layer 'relu': takes layer " + std::to_string(input) + " as its input");
  }
  Architecture architecture = chain();
  architecture.layers[2].inputs = {};
  EXPECT_EQ(fault(architecture), "layer 'relu': has 0 inputs instead of 1");
}

TEST(Validation, AnAddNeedsTwoInputsOfOneShape) {
  EXPECT_EQ(fault_with(1, Add{}), "layer 'norm': has 1 inputs instead of 2");
  Architecture architecture = chain();
  architecture.layers[1] = {"sum", Add{}, {{0}, kImage}};
  EXPECT_EQ(fault(architecture), "layer 'sum': adds 4×8×8 to 3×8×8");
}

TEST(Validation, SizesArePositiveAndBounded) {
  EXPECT_EQ(fault_with(0, Convolution{.out = 0}), "layer 'conv': has 0 channels");
  EXPECT_EQ(fault_with(0, Convolution{.out = kMostChannels + 1}),
            "layer 'conv': has 65537 channels");
  EXPECT_EQ(fault_with(0, Convolution{.out = 4, .kernel = 0}), "layer 'conv': has 0 as kernel");
  EXPECT_EQ(fault_with(0, Convolution{.out = 4, .stride = -1}), "layer 'conv': has -1 as stride");
  EXPECT_EQ(fault_with(0, Convolution{.out = 4, .padding = 3}), "layer 'conv': has 3 as padding");
  EXPECT_EQ(fault_with(0, Convolution{.out = 4, .kernel = 9, .padding = 0}),
            "layer 'conv': has a 9×9 window, larger than its input of 3×8×8");
  EXPECT_EQ(fault_with(2, MaxPool{.kernel = 9}),
            "layer 'relu': has a 9×9 window, larger than its input of 4×8×8");
  EXPECT_EQ(fault_with(4, Linear{.out = 0}), "layer 'classifier': has 0 outputs");
  EXPECT_EQ(fault_with(2, Dropout{.probability = 1}), "layer 'relu': drops with probability 1");
  EXPECT_NE(fault_with(2, Relu{.ceiling = -1}), "");
  EXPECT_NE(fault_with(2, Relu{.ceiling = std::nan("")}), "");
}

TEST(Validation, MapsAndFlatValuesDoNotMix) {
  EXPECT_EQ(fault_with(3, Relu{}), "layer 'classifier': takes a flat input, not 4×8×8");
  EXPECT_EQ(fault_with(2, Linear{.out = 3}), "layer 'relu': takes a flat input, not 4×8×8");
  EXPECT_EQ(fault_with(2, Flatten{}), "layer 'flatten': takes feature maps, not 256 values");
}

TEST(Validation, EveryLayerLeadsToTheLastWhichIsALinear) {
  Architecture architecture = chain();
  architecture.layers[2].inputs = {{0}};
  EXPECT_EQ(fault(architecture), "layer 'norm': nothing takes its output");
  architecture = chain();
  architecture.layers.pop_back();
  EXPECT_EQ(fault(architecture), "layer 'flatten': the last layer is not a linear");
  architecture.layers.clear();
  EXPECT_EQ(fault(architecture), "a network without layers");
}

TEST(Validation, TotalsAreBounded) {
  Architecture deep = chain();
  for (std::size_t i = 0; i < kMostLayers; ++i) deep.layers.push_back(deep.layers[0]);
  EXPECT_EQ(fault(deep), "a network of 1029 layers");
  EXPECT_NE(fault_with(0, Convolution{.out = 32768, .kernel = 64, .padding = 60})
                .find("more than 268435456 parameters"),
            std::string::npos);
  Architecture wide = chain();
  wide.input = {3, 1024, 1024};
  wide.layers[0].kind = Convolution{.out = 1000};
  EXPECT_EQ(fault(wide), "layer 'conv': gives 1000×1024×1024, which is too large");
  wide.input = {kMostChannels, 1024, 1024};
  EXPECT_NE(fault(wide).find("not a size"), std::string::npos);
}

TEST(Validation, WeightsAreThoseOfTheArchitecture) {
  const Network sound{chain(), blank_weights(chain()), {}};
  EXPECT_EQ(fault(sound), "");
  Network network = sound;
  network.weights.erase("norm.running_var");
  EXPECT_EQ(fault(network), "tensor 'norm.running_var' is missing");
  network = sound;
  network.weights["extra"] = {};
  EXPECT_EQ(fault(network), "tensor 'extra' is not a parameter of the network");
  network = sound;
  network.weights["conv.weight"].shape = {4, 3, 9};
  EXPECT_EQ(fault(network),
            "tensor 'conv.weight' has the shape [4, 3, 9]; the network needs [4, 3, 3, 3]");
  network = sound;
  network.weights["conv.weight"].values.pop_back();
  EXPECT_EQ(fault(network), "tensor 'conv.weight' has 107 values; its shape needs 108");
}

TEST(Validation, MomentumIsForTrainedParametersOnly) {
  Network network{chain(), blank_weights(chain()), {}};
  network.momentum["conv.weight"] = network.weights["conv.weight"];
  EXPECT_EQ(fault(network), "");
  network.momentum["norm.running_mean"] = network.weights["norm.running_mean"];
  EXPECT_EQ(fault(network), "momentum for 'norm.running_mean', which is not trained");
  network.momentum.erase("norm.running_mean");
  network.momentum["other"] = {};
  EXPECT_EQ(fault(network), "momentum for a tensor that the network does not have");
}

}  // namespace
}  // namespace espalier
