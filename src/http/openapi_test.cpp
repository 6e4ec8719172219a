// SPDX-License-Identifier: Apache-2.0
// docs/openapi.yaml against a running server: the same routes, and answers of the shapes it tells.
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include "fakes/played_runs.h"
#include "http/dashboard.h"
#include "io/scenario_file.h"
#include "render/json.h"
#include "support/http_client.h"

namespace espalier {
namespace {

bool is_quoted(const YAML::Node& node) { return node.Tag() == "!"; }

Json scalar(const YAML::Node& node) {
  const Json value = Json::parse(node.Scalar(), nullptr, false);
  return is_quoted(node) || value.is_discarded() ? Json(node.Scalar()) : value;
}

Json to_json(const YAML::Node& node) {
  if (node.IsScalar()) return scalar(node);
  Json value = node.IsSequence() ? Json::array() : Json::object();
  if (node.IsSequence()) {
    for (const auto& item : node) value.push_back(to_json(item));
  } else {
    for (const auto& item : node) value[item.first.as<std::string>()] = to_json(item.second);
  }
  return value;
}

bool is_of_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  ADD_FAILURE() << "a type that this test does not know: " << type;
  return false;
}

// As much of JSON Schema as the file uses.
class Schemas {
 public:
  explicit Schemas(Json document) : document_(std::move(document)) {}

  void demand(const Json& value, Json schema, const std::string& where) const {
    if (schema.contains("$ref")) {
      const std::string name = schema.at("$ref");
      schema = document_.at("components").at("schemas").at(name.substr(name.rfind('/') + 1));
    }
    demand_type(value, schema, where);
    if (schema.contains("enum")) {
      const Json& known = schema.at("enum");
      EXPECT_NE(std::find(known.begin(), known.end(), value), known.end())
          << where << " is " << value;
    }
    if (value.is_object()) demand_keys(value, schema, where);
    if (value.is_array() && schema.contains("items")) {
      for (const Json& item : value) demand(item, schema["items"], where + "[]");
    }
  }

 private:
  static void demand_type(const Json& value, const Json& schema, const std::string& where) {
    if (!schema.contains("type")) return;
    const Json types =
        schema.at("type").is_array() ? schema.at("type") : Json::array({schema.at("type")});
    bool fits = false;
    for (const Json& type : types) fits = fits || is_of_type(value, type);
    EXPECT_TRUE(fits) << where << " is " << value << ", not " << types;
  }

  void demand_keys(const Json& value, const Json& schema, const std::string& where) const {
    const Json required = schema.value("required", Json::array());
    for (const Json& key : required)
      EXPECT_TRUE(value.contains(key.get<std::string>())) << where << " has no " << key;
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, inner] : properties.items()) {
      if (value.contains(key)) demand(value.at(key), inner, where + "." + key);
    }
  }

  Json document_;
};

Json described() { return to_json(YAML::LoadFile("docs/openapi.yaml")); }

std::unique_ptr<PlayedRuns> one_run() {
  auto shelf = std::make_unique<PlayedRuns>(std::chrono::milliseconds(0));
  const Setting near{"goal.loss", "1"};
  shelf->add({.name = "played",
              .scenario = load_scenario("examples/smart-factory.yaml", {&near, 1}),
              .lost_node = "silver-1"});
  return shelf;
}

std::string with_examples(std::string path, const Json& operation) {
  const Json parameters = operation.value("parameters", Json::array());
  for (const Json& parameter : parameters) {
    if (parameter.at("in") != "path") continue;
    const std::string name = "{" + parameter.at("name").get<std::string>() + "}";
    path.replace(path.find(name), name.size(), parameter.at("example").get<std::string>());
  }
  return path;
}

std::string body_of(const Json& operation) {
  if (!operation.contains("requestBody")) return "";
  Json body = operation.at("requestBody").at("content").at("application/json").at("example");
  std::string scenario = body.at("scenario");
  if (scenario.starts_with('$')) {
    std::ostringstream text;
    text << std::ifstream("examples/" + scenario.substr(1) + ".yaml").rdbuf();
    body["scenario"] = text.str();
  }
  return body.dump();
}

TEST(OpenApi, ListsTheRoutesThatThereAre) {
  const auto shelf = one_run();
  const Dashboard dashboard(*shelf, {});
  std::set<std::string> offered;
  for (const Route& route : dashboard.site().routes()) {
    if (route.pattern.starts_with("/api/") || route.pattern == "/metrics")
      offered.insert(route.method + " " + route.pattern);
  }
  std::set<std::string> told;
  const Json document = described();
  for (const auto& [path, operations] : document.at("paths").items()) {
    for (const auto& [method, operation] : operations.items())
      told.insert((method == "get" ? "GET " : "POST ") + path);
  }
  EXPECT_EQ(offered, told);
}

TEST(OpenApi, TellsTheShapesOfAnswers) {
  const auto shelf = one_run();
  const Dashboard dashboard(*shelf, {});
  const Json document = described();
  const Schemas schemas(document);
  int asked = 0;
  for (const auto& [path, operations] : document.at("paths").items()) {
    for (const auto& [method, operation] : operations.items()) {
      const Json& content = operation.at("responses").at("200").at("content");
      if (!content.contains("application/json")) continue;
      const HttpAnswer answer =
          ask(dashboard.port(), {.method = method == "get" ? "GET" : "POST",
                                 .path = with_examples(path, operation),
                                 .headers = "Content-Type: application/json\r\n",
                                 .body = body_of(operation)});
      ASSERT_EQ(answer.status, 200) << path << ": " << answer.body;
      const Json body = Json::parse(answer.body);
      EXPECT_EQ(body.at("schema_version"), 1);
      schemas.demand(body.at("data"), content.at("application/json").at("schema"), path);
      ++asked;
    }
  }
  EXPECT_EQ(asked, 10);
}

}  // namespace
}  // namespace espalier
