// SPDX-License-Identifier: Apache-2.0
#include "io/onnx/onnx_export.h"

#include <bit>
#include <initializer_list>
#include <variant>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <onnx/onnx_pb.h>

#include "core/error.h"
#include "networks/parameters.h"
#include "networks/validation.h"

namespace espalier {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are copied as they are");

// Old enough for every reader: later ones give Clip its bounds in ways that OpenCV 4.6 cannot read.
constexpr int kIrVersion = 4;
constexpr int kOperatorSet = 9;
constexpr float kNormEpsilon = 1e-5F;  // torch's

void set_integers(onnx::NodeProto& node, const char* name, std::initializer_list<int64_t> values) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INTS);
  for (const int64_t value : values) attribute.add_ints(value);
}

void set_integer(onnx::NodeProto& node, const char* name, int64_t value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

void set_number(onnx::NodeProto& node, const char* name, float value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
}

void add_tensor(onnx::GraphProto& graph, const std::string& name, const Tensor& tensor) {
  onnx::TensorProto& proto = *graph.add_initializer();
  proto.set_name(name);
  proto.set_data_type(onnx::TensorProto::FLOAT);
  for (const int64_t size : tensor.shape) proto.add_dims(size);
  proto.set_raw_data(tensor.values.data(), tensor.values.size() * sizeof(float));
}

void describe_value(onnx::ValueInfoProto& value, const char* name,
                    std::initializer_list<int64_t> sizes) {
  value.set_name(name);
  onnx::TypeProto::Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape()->add_dim()->set_dim_param("N");
  for (const int64_t size : sizes) type.mutable_shape()->add_dim()->set_dim_value(size);
}

// Adds one layer to the graph: an operator, and what is fixed of its input.
class NodeWriter {
 public:
  NodeWriter(onnx::GraphProto& graph, const Network& network) : graph_(graph), network_(network) {}

  void operator()(const Convolution& convolution) {
    onnx::NodeProto& node = add_node("Conv");
    add_parameters(node, {"weight", "bias"});
    const int64_t kernel = convolution.kernel;
    const int64_t padding = convolution.padding;
    set_integers(node, "kernel_shape", {kernel, kernel});
    set_integers(node, "strides", {convolution.stride, convolution.stride});
    set_integers(node, "pads", {padding, padding, padding, padding});
    set_integer(node, "group", convolution.depthwise ? weight().shape.front() : 1);
  }
  void operator()(const BatchNorm&) {
    onnx::NodeProto& node = add_node("BatchNormalization");
    add_parameters(node, {"weight", "bias", "running_mean", "running_var"});
    set_number(node, "epsilon", kNormEpsilon);
  }
  void operator()(const Relu& relu) {
    if (relu.ceiling == 0) {
      add_node("Relu");
      return;
    }
    onnx::NodeProto& node = add_node("Clip");
    set_number(node, "min", 0);
    set_number(node, "max", static_cast<float>(relu.ceiling));
  }
  void operator()(const MaxPool& pool) {
    onnx::NodeProto& node = add_node("MaxPool");
    set_integers(node, "kernel_shape", {pool.kernel, pool.kernel});
    set_integers(node, "strides", {pool.stride, pool.stride});
  }
  void operator()(const Linear& linear) {
    onnx::NodeProto& node = add_node("Gemm");
    add_parameters(node, {"weight", "bias"});
    if (!linear.bias) add_zero(node);
    set_integer(node, "transB", 1);
  }
  void operator()(const GlobalAverage&) { add_node("GlobalAveragePool"); }
  void operator()(const Flatten&) { set_integer(add_node("Flatten"), "axis", 1); }
  void operator()(const Add&) { add_node("Add"); }
  void operator()(const Dropout&) { outputs_.push_back(value_of(layer_->inputs.front())); }

  void write_layers() {
    for (const Layer& layer : network_.architecture.layers) {
      layer_ = &layer;
      std::visit(*this, layer.kind);
    }
    // Only operators that are written are counted, and the last layer is a Linear.
    graph_.mutable_node(graph_.node_size() - 1)->set_output(0, "logits");
  }

 private:
  onnx::NodeProto& add_node(const char* operation) {
    onnx::NodeProto& node = *graph_.add_node();
    node.set_name(layer_->name);
    node.set_op_type(operation);
    for (const LayerId input : layer_->inputs) node.add_input(value_of(input));
    // A colon is in no layer's name, so that no value is called like another.
    outputs_.push_back(layer_->name + ":out");
    node.add_output(outputs_.back());
    return node;
  }
  void add_parameters(onnx::NodeProto& node, std::initializer_list<const char*> names) {
    for (const char* what : names) {
      const std::string name = layer_->name + "." + what;
      const auto found = network_.weights.find(name);
      if (found == network_.weights.end()) continue;
      add_tensor(graph_, name, found->second);
      node.add_input(name);
    }
  }
  // Gemm must have something to add.
  void add_zero(onnx::NodeProto& node) {
    const std::string name = layer_->name + ":zero";
    add_tensor(graph_, name, {{1}, {0.0F}});
    node.add_input(name);
  }
  const Tensor& weight() const { return network_.weights.at(layer_->name + ".weight"); }
  std::string value_of(LayerId layer) const {
    return layer == kImage ? "image" : outputs_[static_cast<std::size_t>(layer.index)];
  }

  onnx::GraphProto& graph_;
  const Network& network_;
  const Layer* layer_ = nullptr;
  std::vector<std::string> outputs_;  // the name of each layer's value
};

void write_graph(onnx::GraphProto& graph, const Network& network) {
  const ImageShape& image = network.architecture.input;
  graph.set_name(network.architecture.name);
  describe_value(*graph.add_input(), "image", {image.channels, image.height, image.width});
  describe_value(*graph.add_output(), "logits", {classes_of(network.architecture)});
  NodeWriter(graph, network).write_layers();
}

// Always the same bytes for the same message.
std::string serialised(const onnx::ModelProto& model) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  const bool written = model.SerializeToCodedStream(&coded);
  ESPALIER_CHECK(written);
  coded.Trim();
  return bytes;
}

}  // namespace

std::string onnx_bytes(const Network& network) {
  validate(network);
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("espalier");
  model.add_opset_import()->set_version(kOperatorSet);
  write_graph(*model.mutable_graph(), network);
  return serialised(model);
}

}  // namespace espalier
