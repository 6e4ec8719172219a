// SPDX-License-Identifier: Apache-2.0
#include "render/run_json.h"

#include <algorithm>

#include "core/provenance.h"
#include "render/names.h"

namespace espalier {
namespace {

template <class Unit>
Json value_or_null(const std::optional<Quantity<Unit>>& value) {
  return value ? Json(value->value) : Json();
}

const char* name_of_state(WatchedState state) {
  constexpr const char* kNames[] = {"expected", "online", "silent", "lost"};
  return kNames[static_cast<std::size_t>(state)];
}

const char* name_of_outcome(RunOutcome outcome) {
  constexpr const char* kNames[] = {"reached", "missed", "stopped", "failed"};
  return kNames[static_cast<std::size_t>(outcome)];
}

Json place_name_json(const PlaceName& place) {
  Json json{{"model", place.model}, {"nodes", place.nodes}};
  if (!place.data.empty()) json["data"] = place.data;
  if (!place.level.empty()) json["level"] = place.level;
  return json;
}

Json course_json(const std::vector<ForeseenStep>& course) {
  Json all = Json::array();
  for (const ForeseenStep& step : course) {
    Json row{{"epoch", step.epoch}};
    row.update(place_name_json(step.place));
    row.update({{"time", step.time.value},
                {"energy", step.energy.value},
                {"expected", step.expected.value},
                {"robust", step.robust.value}});
    row.update(source_json(planned_source()));
    all.push_back(std::move(row));
  }
  return all;
}

Json chance_or_null(const std::optional<Chance>& chance) {
  if (!chance) return nullptr;
  return {{"probability", chance->probability},
          {"interval", {chance->interval.low, chance->interval.high}}};
}

Json content_json(const PlanNews& plan) {
  Json json{{"epoch", plan.epoch},
            {"verdict", name_of(plan.verdict)},
            {"changed", plan.changed},
            {"sentence", plan.sentence},
            {"chance", chance_or_null(plan.chance)}};
  if (!plan.course.empty()) json["course"] = course_json(plan.course);
  return json;
}

Json content_json(const EpochNews& epoch) {
  Json json{{"epoch", epoch.epoch}};
  json.update(place_name_json(epoch.place));
  json.update({{"loss", epoch.loss.value},
               {"time", epoch.time.value},
               {"energy", epoch.energy.value},
               {"planned_loss", value_or_null(epoch.planned_loss)},
               {"planned_energy", value_or_null(epoch.planned_energy)},
               {"planned_provenance", name_of(planned_source().provenance)},
               {"planned_source", planned_source().source},
               {"provenance", name_of(epoch.provenance)},
               {"source", epoch.source},
               {"members", epoch.members},
               {"reason", epoch.reason}});
  return json;
}

Json content_json(const NodeNews& node) {
  return {{"name", node.name},
          {"nodes", node.nodes},
          {"state", name_of_state(node.state)},
          {"last_seen", node.last_seen.value},
          {"epoch_time", value_or_null(node.epoch_time)},
          {"energy", node.energy.value},
          {"energy_source", node.energy_source},
          {"bytes", node.bytes},
          {"samples", node.samples}};
}

Json content_json(const RemarkNews& remark) { return {{"text", remark.text}}; }

Json content_json(const EndNews& end) {
  return {{"outcome", name_of_outcome(end.outcome)},
          {"sentence", end.sentence},
          {"can_resume", end.can_resume},
          {"time", end.time.value},
          {"energy", end.energy.value}};
}

Json content_json(const ResumeNews&) { return Json::object(); }

Json content_json(const LookNews& look) { return {{"loss", look.loss.value}}; }

Json head_json(const RunHead& head) {
  return {{"name", head.name},
          {"scenario", head.scenario},
          {"strategy", head.strategy},
          {"source", head.source},
          {"goal",
           {{"loss", head.goal.loss.value},
            {"deadline", head.goal.deadline.value},
            {"probability", head.goal.probability}}},
          {"start_loss", head.start_loss.value},
          {"models", head.models},
          {"node_sets", head.node_sets}};
}

// The places that occur, and each epoch's by its position among them.
struct PlaceColumn {
  Json places = Json::array();
  Json column = Json::array();
};

PlaceColumn place_column(const std::vector<EpochNews>& epochs) {
  PlaceColumn result;
  std::vector<PlaceName> known;
  for (const EpochNews& epoch : epochs) {
    auto at = std::find(known.begin(), known.end(), epoch.place);
    if (at == known.end()) {
      known.push_back(epoch.place);
      result.places.push_back(place_name_json(epoch.place));
      at = known.end() - 1;
    }
    result.column.push_back(at - known.begin());
  }
  return result;
}

template <class Value>
Json column(const std::vector<EpochNews>& epochs, Value value) {
  Json all = Json::array();
  for (const EpochNews& epoch : epochs) all.push_back(value(epoch));
  return all;
}

Json switches_json(const std::vector<EpochNews>& epochs) {
  Json all = Json::array();
  for (const EpochNews& epoch : epochs) {
    if (!epoch.reason.empty()) all.push_back({{"epoch", epoch.epoch}, {"reason", epoch.reason}});
  }
  return all;
}

Json epochs_json(const WatchedStory& story) {
  const std::vector<EpochNews>& epochs = story.epochs;
  PlaceColumn places = place_column(epochs);
  return {
      {"places", std::move(places.places)},
      {"place", std::move(places.column)},
      {"epoch", column(epochs, [](const auto& e) { return e.epoch; })},
      {"loss", column(epochs, [](const auto& e) { return e.loss.value; })},
      {"time", column(epochs, [](const auto& e) { return e.time.value; })},
      {"energy", column(epochs, [](const auto& e) { return e.energy.value; })},
      {"planned_loss", column(epochs, [](const auto& e) { return value_or_null(e.planned_loss); })},
      {"planned_energy",
       column(epochs, [](const auto& e) { return value_or_null(e.planned_energy); })},
      {"provenance", epochs.empty() ? Json() : Json(name_of(energy_source(story).provenance))},
      {"source", epochs.empty() ? Json() : Json(energy_source(story).source)},
      {"switches", switches_json(epochs)}};
}

Json plans_json(const std::vector<ToldPlan>& plans) {
  Json all = Json::array();
  for (const ToldPlan& told : plans) {
    Json json{{"at", told.at.value}};
    json.update(content_json(told.plan));
    all.push_back(std::move(json));
  }
  return all;
}

Json remarks_json(const std::vector<ToldRemark>& remarks) {
  Json all = Json::array();
  for (const ToldRemark& told : remarks)
    all.push_back({{"at", told.at.value}, {"text", told.text}});
  return all;
}

Json nodes_json(const WatchedStory& story) {
  Json all = Json::array();
  for (const auto& [name, node] : story.nodes) all.push_back(content_json(node));
  return all;
}

}  // namespace

const char* kind_of(const NewsContent& what) {
  constexpr const char* kKinds[] = {"plan", "epoch", "node", "remark", "end", "resume", "look"};
  static_assert(std::size(kKinds) == std::variant_size_v<NewsContent>);
  return kKinds[what.index()];
}

std::string news_line(const RunNews& news) {
  Json json{{"id", news.id}, {"at", news.at.value}, {"kind", kind_of(news.what)}};
  json.update(std::visit([](const auto& what) { return content_json(what); }, news.what));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* state_of(const WatchedStory& story) {
  if (story.end) return name_of_outcome(story.end->outcome);
  return story.is_carried_on ? "running" : "interrupted";
}

Json run_summary_json(const WatchedStory& story) {
  const EpochNews last =
      story.epochs.empty() ? EpochNews{.loss = story.head.start_loss} : story.epochs.back();
  return {{"name", story.head.name},
          {"scenario", story.head.scenario},
          {"strategy", story.head.strategy},
          {"state", state_of(story)},
          {"epochs", last.epoch},
          {"loss", last.loss.value},
          {"time", last.time.value},
          {"energy", last.energy.value},
          {"energy_source", text_of(energy_source(story))},
          {"goal",
           {{"loss", story.head.goal.loss.value}, {"deadline", story.head.goal.deadline.value}}}};
}

Json run_json(const WatchedStory& story) {
  Json data{{"last_id", story.last_id}, {"at", story.at.value}, {"state", state_of(story)}};
  data["head"] = head_json(story.head);
  data["epochs"] = epochs_json(story);
  data["plans"] = plans_json(story.plans);
  data["first_course"] = course_json(story.first_course);
  data["course"] = course_json(story.course);
  data["chance"] = chance_or_null(story.chance);
  data["nodes"] = nodes_json(story);
  data["remarks"] = remarks_json(story.remarks);
  data["end"] = story.end ? content_json(*story.end) : Json();
  return data;
}

std::string run_document(const WatchedStory& story) {
  const Json document{{"schema_version", 1}, {"status", "ok"}, {"data", run_json(story)}};
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace espalier
