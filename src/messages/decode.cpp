// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "messages/codec.h"
#include "messages/words.h"

namespace espalier {
namespace {

constexpr std::size_t kLongestShortMessage = std::size_t{1} << 16;
constexpr std::int64_t kMostRepeats = 1'000'000;
constexpr std::int64_t kMostSamples = std::int64_t{1} << 40;
constexpr std::int64_t kLongestHeartbeatMs = 600'000;
constexpr double kLargestNumber = 1e15;
constexpr double kLargestRate = 1e6;
constexpr double kLargestWidth = 64;

template <class Message>
Message parsed(std::string_view bytes, std::string_view what,
               std::size_t longest = kLongestShortMessage) {
  if (bytes.size() > longest) refuse_field(what, "too long a message");
  Message message;
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    refuse_field(what, "not such a message");
  return message;
}

void require_part(bool is_there, std::string_view field) {
  if (!is_there) refuse_field(field, "missing");
}

int small_count(std::string_view field, std::int64_t value, std::int64_t least) {
  return static_cast<int>(checked_count(field, value, least, kMostRepeats));
}

ObjectRef object_of(std::string_view field, const proto::Object& in) {
  return checked_object(field, in.sha256(), in.size());
}

TaskId task_id_of(const proto::TaskId& in) {
  return {checked_name("run", in.run()), small_count("epoch", in.epoch(), 0),
          small_count("round", in.round(), 0), small_count("attempt", in.attempt(), 0)};
}

double momentum_of(const proto::Learning& in) {
  const double momentum = checked_number("momentum", in.momentum(), 0, 1);
  if (momentum >= 1) refuse_field("momentum", "out of bounds");
  return momentum;
}

LearningSettings learning_of(const proto::Learning& in) {
  LearningSettings out;
  out.batch = small_count("batch", in.batch(), 1);
  out.learning_rate = checked_number("learning rate", in.learning_rate(), 0, kLargestRate);
  out.momentum = momentum_of(in);
  out.weight_decay = checked_number("weight decay", in.weight_decay(), 0, kLargestRate);
  out.schedule = from_proto(kScheduleWords, in.schedule(), "schedule");
  out.jitter = small_count("jitter", in.jitter(), 0);
  out.seed = in.seed();
  return out;
}

TrainWork train_of(const proto::Train& in) {
  const double share = checked_number("share", in.share(), 0, 1);
  if (share <= 0) refuse_field("share", "out of bounds");
  return {small_count("local epochs", in.local_epochs(), 1), share};
}

PruneWork prune_of(const proto::Prune& in) {
  PruneWork out;
  out.network = checked_name("network", in.network());
  out.width = checked_number("width", in.width(), 0, kLargestWidth);
  out.gone = checked_number("pruned share", in.gone(), 0, 1);
  if (out.width <= 0) refuse_field("width", "out of bounds");
  if (out.gone >= 1) refuse_field("pruned share", "out of bounds");
  out.criterion = from_proto(kCriterionWords, in.criterion(), "criterion");
  out.round_to = small_count("round to", in.round_to(), 1);
  out.distil_epochs = small_count("distil epochs", in.distil_epochs(), 0);
  return out;
}

std::variant<TrainWork, EvaluateWork, PruneWork> work_of(const proto::Task& in) {
  switch (in.work_case()) {
    case proto::Task::kTrain:
      return train_of(in.train());
    case proto::Task::kEvaluate:
      return EvaluateWork{checked_count("most", in.evaluate().most(), 0, kMostSamples)};
    case proto::Task::kPrune:
      return prune_of(in.prune());
    case proto::Task::WORK_NOT_SET:
      break;
  }
  refuse_field("task", "no work that is known here");
}

Task task_of(const proto::Task& in) {
  require_part(in.has_id(), "task");
  require_part(in.has_network(), "network");
  require_part(in.has_learning(), "learning");
  return {task_id_of(in.id()), object_of("network", in.network()), learning_of(in.learning()),
          work_of(in), in.update_limit()};
}

EnergyReading energy_of(const proto::Energy& in) {
  return {{checked_number("energy", in.joules(), 0, kLargestNumber)},
          from_proto(kProvenanceWords, in.provenance(), "provenance"),
          checked_text("source", in.source())};
}

TaskResult result_of(const proto::Result& in) {
  require_part(in.has_task(), "task");
  require_part(in.has_energy(), "energy");
  TaskResult out;
  out.task = task_id_of(in.task());
  out.end = from_proto(kTaskEnds, in.end(), "end");
  out.message = checked_text("message", in.message());
  if (in.has_update()) out.update = object_of("update", in.update());
  out.loss = {checked_number("loss", in.loss(), 0, kLargestNumber)};
  out.samples = checked_count("samples", in.samples(), 0, kMostSamples);
  out.time = {checked_number("seconds", in.seconds(), 0, kLargestNumber)};
  out.energy = energy_of(in.energy());
  return out;
}

WantedObject wanted_of(const proto::Wanted& in) {
  require_part(in.has_object(), "object");
  const ObjectRef object = object_of("object", in.object());
  if (in.offset() > object.size) refuse_field("offset", "beyond the end of the object");
  return {checked_name("incarnation", in.incarnation()), object, in.offset()};
}

OfferedObject offered_of(const proto::Offered& in) {
  require_part(in.has_object(), "object");
  return {checked_name("incarnation", in.incarnation()), object_of("object", in.object())};
}

}  // namespace

Hello decode_hello(std::string_view bytes) {
  const auto in = parsed<proto::Hello>(bytes, "hello");
  if (in.protocol() != kWireVersion)
    throw Error(ErrorCode::NotAllowed,
                "hello: version " + std::to_string(in.protocol()) + " of the protocol; this is " +
                    std::to_string(kWireVersion),
                "use the same version of espalier everywhere");
  Hello out;
  out.incarnation = checked_name("incarnation", in.incarnation());
  out.nodes = checked_text("nodes", in.nodes());
  out.samples = checked_count("samples", in.samples(), 0, kMostSamples);
  out.classes = small_count("classes", in.classes(), 0);
  out.channels = small_count("channels", in.channels(), 0);
  out.height = small_count("height", in.height(), 0);
  out.width = small_count("width", in.width(), 0);
  out.program = checked_text("program", in.program());
  return out;
}

Welcome decode_welcome(std::string_view bytes) {
  const auto in = parsed<proto::Welcome>(bytes, "welcome");
  return {checked_name("run", in.run()), checked_text("nodes", in.nodes()),
          std::chrono::milliseconds(
              checked_count("heartbeat", in.heartbeat_ms(), 1, kLongestHeartbeatMs))};
}

Pulse decode_pulse(std::string_view bytes) {
  const auto in = parsed<proto::Pulse>(bytes, "heartbeat");
  Pulse out{checked_name("incarnation", in.incarnation()), {}};
  if (in.has_at()) out.at = AtWork(task_id_of(in.at()), checked_number("done", in.done(), 0, 1));
  return out;
}

Nod decode_nod(std::string_view bytes) { return {parsed<proto::Nod>(bytes, "nod").wanted()}; }

PullRequest decode_pull_request(std::string_view bytes) {
  const auto in = parsed<proto::Wait>(bytes, "pull");
  return {checked_name("incarnation", in.incarnation()),
          std::chrono::milliseconds(checked_count("wait", in.wait_ms(), 0, kLongestPull.count()))};
}

Pulled decode_pulled(std::string_view bytes) {
  const auto in = parsed<proto::Pulled>(bytes, "pulled");
  switch (in.what_case()) {
    case proto::Pulled::kTask:
      return task_of(in.task());
    case proto::Pulled::kDismissal:
      return Dismissal{checked_text("reason", in.dismissal().reason())};
    case proto::Pulled::WHAT_NOT_SET:
      break;
  }
  return Nothing{};
}

ResultMessage decode_result(std::string_view bytes) {
  const auto in = parsed<proto::Result>(bytes, "result");
  return {checked_name("incarnation", in.incarnation()), result_of(in)};
}

Receipt decode_receipt(std::string_view bytes) {
  const auto in = parsed<proto::Received>(bytes, "receipt");
  return from_proto(kReceipts, in.receipt(), "receipt");
}

StreamRequest decode_request(std::string_view bytes) {
  const auto in = parsed<proto::Request>(bytes, "request", kLongestStreamMessage);
  const std::string node = in.node().empty() ? "" : checked_name("node", in.node());
  switch (in.what_case()) {
    case proto::Request::kWanted:
      return {wanted_of(in.wanted()), node};
    case proto::Request::kOffered:
      return {offered_of(in.offered()), node};
    case proto::Request::WHAT_NOT_SET:
      break;
  }
  refuse_field("request", "nothing that is known here");
}

StreamAnswer decode_answer(std::string_view bytes) {
  const auto in = parsed<proto::Answer>(bytes, "answer", kLongestStreamMessage);
  switch (in.what_case()) {
    case proto::Answer::kGranted:
      return Granted{};
    case proto::Answer::kProgress:
      return Progress{in.progress().received(), in.progress().safe()};
    case proto::Answer::kRefusal:
      return Refusal{in.refusal().temporary(), checked_text("reason", in.refusal().reason())};
    case proto::Answer::WHAT_NOT_SET:
      break;
  }
  refuse_field("answer", "nothing that is known here");
}

std::size_t decode_length(std::string_view bytes) {
  if (bytes.size() != 2) refuse_field("length", "not two bytes");
  const auto high = static_cast<unsigned char>(bytes[0]);
  const std::size_t length = high * 256U + static_cast<unsigned char>(bytes[1]);
  if (length == 0 || length > kLongestStreamMessage) refuse_field("length", "out of bounds");
  return length;
}

}  // namespace espalier
