// SPDX-License-Identifier: Apache-2.0
#include "io/architecture_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/strict_json.h"
#include "io/wording.h"
#include "networks/architecture_limits.h"
#include "networks/validation.h"

namespace espalier {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kLongestText = std::size_t{1} << 20;
constexpr int kLayersDepth = 4;  // document, layers, layer, inputs

struct NamedKind {
  std::string name;
  LayerKind blank;
};

const std::vector<NamedKind>& all_kinds() {
  static const std::vector<NamedKind> kinds{{"convolution", Convolution{}},
                                            {"batch_norm", BatchNorm{}},
                                            {"relu", Relu{}},
                                            {"max_pool", MaxPool{}},
                                            {"global_average", GlobalAverage{}},
                                            {"flatten", Flatten{}},
                                            {"dropout", Dropout{}},
                                            {"linear", Linear{}},
                                            {"add", Add{}}};
  return kinds;
}

// The fields of each kind, once for reading and writing.
template <class Kind, class Visitor>
void describe(Kind& kind, Visitor&& visit) {
  using Plain = std::remove_const_t<Kind>;
  if constexpr (std::is_same_v<Plain, Convolution>) {
    visit("depthwise", kind.depthwise);
    if (!kind.depthwise) visit("out", kind.out);
    visit("kernel", kind.kernel);
    visit("stride", kind.stride);
    visit("padding", kind.padding);
    visit("bias", kind.bias);
  } else if constexpr (std::is_same_v<Plain, Relu>) {
    visit("ceiling", kind.ceiling);
  } else if constexpr (std::is_same_v<Plain, MaxPool>) {
    visit("kernel", kind.kernel);
    visit("stride", kind.stride);
  } else if constexpr (std::is_same_v<Plain, Dropout>) {
    visit("probability", kind.probability);
  } else if constexpr (std::is_same_v<Plain, Linear>) {
    visit("out", kind.out);
    visit("bias", kind.bias);
  }
}

ordered_json written(const Layer& layer) {
  ordered_json inputs = ordered_json::array();
  for (const LayerId input : layer.inputs) inputs.push_back(input.index);
  ordered_json object{{"name", layer.name},
                      {"kind", all_kinds().at(layer.kind.index()).name},
                      {"inputs", std::move(inputs)}};
  std::visit(
      [&](const auto& kind) {
        describe(kind, [&](const char* key, const auto& value) { object[key] = value; });
      },
      layer.kind);
  return object;
}

// Fills the fields of a layer from its object.
struct FieldReader {
  JsonObject& object;

  void operator()(const char* key, int64_t& field) const {
    field = json_integer(object.at(key), object.place(key));
  }
  void operator()(const char* key, double& field) const {
    field = json_number(object.at(key), object.place(key));
  }
  void operator()(const char* key, bool& field) const {
    field = json_flag(object.at(key), object.place(key));
  }
};

LayerKind blank_kind(const std::string& name, const JsonPlace& place) {
  std::vector<std::string> names;
  for (const NamedKind& kind : all_kinds()) {
    if (kind.name == name) return kind.blank;
    names.push_back(kind.name);
  }
  place.fail(
      fmt::format("is '{}', which is no kind of layer{}", shown(name), did_you_mean(name, names)),
      fmt::format("there are: {}", listed(names)));
}

std::vector<LayerId> read_inputs(const json& value, const JsonPlace& place) {
  std::vector<LayerId> inputs;
  for (const json& input : json_array(value, place)) {
    const JsonPlace here = place.item(inputs.size());
    const int64_t index = json_integer(input, here);
    if (index < kImage.index || index >= static_cast<int64_t>(kMostLayers)) {
      here.fail(fmt::format("is {}, which is no layer", index));
    }
    inputs.push_back({static_cast<int>(index)});
  }
  return inputs;
}

Layer read_layer(const json& value, const JsonPlace& place) {
  JsonObject object(value, place);
  Layer layer;
  layer.name = json_text(object.at("name"), object.place("name"));
  const std::string kind = json_text(object.at("kind"), object.place("kind"));
  layer.kind = blank_kind(kind, object.place("kind"));
  layer.inputs = read_inputs(object.at("inputs"), object.place("inputs"));
  std::visit([&](auto& fields) { describe(fields, FieldReader{object}); }, layer.kind);
  object.finish();
  return layer;
}

std::vector<Layer> read_layers(const json& value, const JsonPlace& place) {
  std::vector<Layer> layers;
  for (const json& layer : json_array(value, place)) {
    if (layers.size() == kMostLayers) place.fail(fmt::format("has more than {}", kMostLayers));
    layers.push_back(read_layer(layer, place.item(layers.size())));
  }
  return layers;
}

ImageShape read_image(const json& value, const JsonPlace& place) {
  if (json_array(value, place).size() != 3) place.fail("is not [channels, height, width]");
  const auto size = [&](std::size_t i) { return json_integer(value[i], place.item(i)); };
  return {size(0), size(1), size(2)};
}

Architecture read_architecture(const json& document, const std::string& source) {
  JsonObject object(document, {source, ""});
  Architecture architecture{json_text(object.at("name"), object.place("name")),
                            read_image(object.at("input"), object.place("input")),
                            read_layers(object.at("layers"), object.place("layers"))};
  object.finish();
  return architecture;
}

void validate_from(const Architecture& architecture, const std::string& source) {
  try {
    validate(architecture);
  } catch (const Error& error) {
    throw Error(error.code(), source + ": " + error.what(), error.hint());
  }
}

}  // namespace

std::string to_json(const Architecture& architecture) {
  ordered_json layers = ordered_json::array();
  for (const Layer& layer : architecture.layers) layers.push_back(written(layer));
  const ImageShape& input = architecture.input;
  return ordered_json{{"name", architecture.name},
                      {"input", {input.channels, input.height, input.width}},
                      {"layers", std::move(layers)}}
      .dump();
}

Architecture architecture_from_json(std::string_view text, const std::string& source) {
  if (text.size() > kLongestText) {
    JsonPlace{source, ""}.fail("larger than 1 MiB, too large for an architecture");
  }
  const json document = parse_strict_json(text, source, kLayersDepth);
  Architecture architecture = read_architecture(document, source);
  validate_from(architecture, source);
  return architecture;
}

}  // namespace espalier
