// SPDX-License-Identifier: Apache-2.0
#include "io/onnx/onnx_export.h"

#include <map>

#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include "core/error.h"
#include "networks/network_catalogue.h"
#include "networks/parameters.h"
#include "networks/pruning.h"
#include "support/networks/random_network.h"

namespace espalier {
namespace {

Network small(const std::string& name) {
  return support::random_network(build_network(name, {.width = 0.1, .classes = 7}), 1);
}

onnx::ModelProto exported(const Network& network) {
  onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromString(onnx_bytes(network)));
  return model;
}

std::map<std::string, int> operators(const onnx::ModelProto& model) {
  std::map<std::string, int> counts;
  for (const onnx::NodeProto& node : model.graph().node()) ++counts[node.op_type()];
  return counts;
}

// The library's own checker and shape inference accept every network, pruned or not.
TEST(OnnxExport, EveryNetworkIsSoundOnnx) {
  for (const CatalogueNetwork& catalogued : all_networks()) {
    const Network full = small(catalogued.name);
    const Network pruned = prune(full, full.architecture, {.ratios = {.ratio = 0.5}}).network;
    for (const Network& network : {full, pruned}) {
      onnx::ModelProto model = exported(network);
      EXPECT_NO_THROW(onnx::checker::check_model(model)) << catalogued.name;
      model.mutable_graph()
          ->mutable_output(0)
          ->mutable_type()
          ->mutable_tensor_type()
          ->clear_shape();
      EXPECT_NO_THROW(onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(),
                                                         {true, 1, false}));
      const auto& shape = model.graph().output(0).type().tensor_type().shape();
      ASSERT_EQ(shape.dim_size(), 2) << catalogued.name;
      EXPECT_EQ(shape.dim(1).dim_value(), 7);
    }
  }
}

TEST(OnnxExport, RandomNetworksAreSoundOnnx) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const Architecture random = support::random_architecture(seed);
    EXPECT_NO_THROW(onnx::checker::check_model(exported(support::random_network(random, seed))));
  }
}

TEST(OnnxExport, LayersBecomeOperators) {
  const std::map<std::string, int> expected{
      {"Conv", 5}, {"Relu", 7}, {"MaxPool", 3}, {"Flatten", 1}, {"Gemm", 3}};
  EXPECT_EQ(operators(exported(small("alexnet"))), expected);
  const Architecture full = build_network("mobilenetv2", {});
  const auto mobilenet = operators(exported({full, blank_weights(full), {}}));
  EXPECT_EQ(mobilenet.at("Conv"), 52);
  EXPECT_EQ(mobilenet.at("Clip"), 35);
  EXPECT_EQ(mobilenet.at("Add"), 10);
  EXPECT_FALSE(mobilenet.contains("Dropout"));
}

TEST(OnnxExport, HoldsTheValuesOfTheWeights) {
  const Network network = small("vgg11");
  const onnx::ModelProto model = exported(network);
  EXPECT_EQ(static_cast<std::size_t>(model.graph().initializer_size()), network.weights.size());
  for (const onnx::TensorProto& tensor : model.graph().initializer()) {
    const std::vector<float>& values = network.weights.at(tensor.name()).values;
    const std::string bytes(reinterpret_cast<const char*>(values.data()), 4 * values.size());
    EXPECT_EQ(tensor.raw_data(), bytes) << tensor.name();
  }
}

TEST(OnnxExport, TheSameNetworkGivesTheSameBytes) {
  EXPECT_EQ(onnx_bytes(small("resnet18")), onnx_bytes(small("resnet18")));
}

TEST(OnnxExport, RefusesWhatIsNotSound) {
  Network network = small("vgg11");
  network.weights.erase("conv1.weight");
  EXPECT_THROW(onnx_bytes(network), Error);
}

}  // namespace
}  // namespace espalier
