// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "messages/codec.h"
#include "messages/words.h"

namespace espalier {
namespace {

std::string bytes_of(const google::protobuf::MessageLite& message) {
  std::string bytes;
  ESPALIER_CHECK(message.SerializeToString(&bytes));
  return bytes;
}

void fill(proto::Object& out, const ObjectRef& object) {
  ESPALIER_CHECK(is_object_ref(object));
  out.set_sha256(digest_bytes(object));
  out.set_size(object.size);
}

void fill(proto::TaskId& out, const TaskId& id) {
  out.set_run(id.run);
  out.set_epoch(id.epoch);
  out.set_round(id.round);
  out.set_attempt(id.attempt);
}

void fill(proto::Learning& out, const LearningSettings& learning) {
  out.set_batch(learning.batch);
  out.set_learning_rate(learning.learning_rate);
  out.set_momentum(learning.momentum);
  out.set_weight_decay(learning.weight_decay);
  out.set_schedule(to_proto(kScheduleWords, learning.schedule));
  out.set_jitter(learning.jitter);
  out.set_seed(learning.seed);
}

void set_work(proto::Task& out, const TrainWork& work) {
  out.mutable_train()->set_local_epochs(work.local_epochs);
  out.mutable_train()->set_share(work.share);
}

void set_work(proto::Task& out, const EvaluateWork& work) {
  out.mutable_evaluate()->set_most(work.most);
}

void set_work(proto::Task& out, const PruneWork& work) {
  proto::Prune& prune = *out.mutable_prune();
  prune.set_network(work.network);
  prune.set_width(work.width);
  prune.set_gone(work.gone);
  prune.set_criterion(to_proto(kCriterionWords, work.criterion));
  prune.set_round_to(work.round_to);
  prune.set_distil_epochs(work.distil_epochs);
}

void fill(proto::Task& out, const Task& task) {
  fill(*out.mutable_id(), task.id);
  fill(*out.mutable_network(), task.network);
  fill(*out.mutable_learning(), task.learning);
  std::visit([&](const auto& work) { set_work(out, work); }, task.work);
  out.set_update_limit(task.update_limit);
}

void set_pulled(proto::Pulled& /*out*/, const Nothing& /*nothing*/) {}
void set_pulled(proto::Pulled& out, const Task& task) { fill(*out.mutable_task(), task); }
void set_pulled(proto::Pulled& out, const Dismissal& dismissal) {
  out.mutable_dismissal()->set_reason(as_one_line(dismissal.reason));
}

void fill(proto::Energy& out, const EnergyReading& reading) {
  out.set_joules(reading.energy.value);
  out.set_provenance(to_proto(kProvenanceWords, reading.provenance));
  out.set_source(as_one_line(reading.source));
}

}  // namespace

std::string encode(const Hello& hello) {
  proto::Hello out;
  out.set_protocol(kWireVersion);
  out.set_incarnation(hello.incarnation);
  out.set_nodes(as_one_line(hello.nodes));
  out.set_samples(hello.samples);
  out.set_classes(hello.classes);
  out.set_program(as_one_line(hello.program));
  out.set_channels(hello.channels);
  out.set_height(hello.height);
  out.set_width(hello.width);
  return bytes_of(out);
}

std::string encode(const Welcome& welcome) {
  proto::Welcome out;
  out.set_run(welcome.run);
  out.set_nodes(as_one_line(welcome.nodes));
  out.set_heartbeat_ms(static_cast<std::uint32_t>(welcome.heartbeat.count()));
  return bytes_of(out);
}

std::string encode(const Pulse& pulse) {
  proto::Pulse out;
  out.set_incarnation(pulse.incarnation);
  if (pulse.at) {
    fill(*out.mutable_at(), pulse.at->task);
    out.set_done(pulse.at->done);
  }
  return bytes_of(out);
}

std::string encode(const Nod& nod) {
  proto::Nod out;
  out.set_wanted(nod.is_wanted);
  return bytes_of(out);
}

std::string encode(const PullRequest& request) {
  proto::Wait out;
  out.set_incarnation(request.incarnation);
  out.set_wait_ms(static_cast<std::uint32_t>(request.wait.count()));
  return bytes_of(out);
}

std::string encode(const Pulled& pulled) {
  proto::Pulled out;
  std::visit([&](const auto& what) { set_pulled(out, what); }, pulled);
  return bytes_of(out);
}

std::string encode(const ResultMessage& message) {
  const TaskResult& result = message.result;
  const bool has_loss = result.end == TaskEnd::Finished || std::isfinite(result.loss.value);
  proto::Result out;
  out.set_incarnation(message.incarnation);
  fill(*out.mutable_task(), result.task);
  out.set_end(to_proto(kTaskEnds, result.end));
  out.set_message(as_one_line(result.message));
  if (result.update) fill(*out.mutable_update(), *result.update);
  out.set_loss(has_loss ? result.loss.value : 0);
  out.set_samples(result.samples);
  out.set_seconds(result.time.value);
  fill(*out.mutable_energy(), result.energy);
  return bytes_of(out);
}

std::string encode(Receipt receipt) {
  proto::Received out;
  out.set_receipt(to_proto(kReceipts, receipt));
  return bytes_of(out);
}

std::string encode(const StreamRequest& request) {
  proto::Request out;
  if (const auto* wanted = std::get_if<WantedObject>(&request.what)) {
    out.mutable_wanted()->set_incarnation(wanted->incarnation);
    fill(*out.mutable_wanted()->mutable_object(), wanted->object);
    out.mutable_wanted()->set_offset(wanted->offset);
  } else {
    const auto& offered = std::get<OfferedObject>(request.what);
    out.mutable_offered()->set_incarnation(offered.incarnation);
    fill(*out.mutable_offered()->mutable_object(), offered.object);
  }
  out.set_node(request.node);
  return bytes_of(out);
}

std::string encode(const StreamAnswer& answer) {
  proto::Answer out;
  if (std::holds_alternative<Granted>(answer)) out.mutable_granted();
  if (const auto* progress = std::get_if<Progress>(&answer)) {
    out.mutable_progress()->set_received(progress->received);
    out.mutable_progress()->set_safe(progress->is_safe);
  }
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    out.mutable_refusal()->set_temporary(refusal->is_temporary);
    out.mutable_refusal()->set_reason(as_one_line(refusal->reason));
  }
  return bytes_of(out);
}

std::string encode_length(std::size_t length) {
  ESPALIER_CHECK(length > 0 && length <= kLongestStreamMessage);
  return {static_cast<char>(length >> 8U), static_cast<char>(length & 0xffU)};
}

}  // namespace espalier
