// SPDX-License-Identifier: Apache-2.0
// A sound example of every message, and its decoder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "messages/codec.h"

namespace espalier {

inline ObjectRef sample_object() {
  return {"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff", 37'000'000};
}

inline Hello sample_hello() {
  return {"gold", 6000, 10, 1, 28, 28, "gold-1.4711", "espalier 0.1.0"};
}

inline Task sample_task() {
  Task task;
  task.id = {"run-1", 7, 1, 2};
  task.network = sample_object();
  task.learning = {32, 0.05, 0.9, 0.0005, RateSchedule::Cosine, 2, 42};
  task.work = TrainWork{3, 0.5};
  task.update_limit = 80'000'000;
  return task;
}

inline Task sample_pruning() {
  Task task = sample_task();
  task.work = PruneWork{"vgg11", 0.25, 0.5, PruningCriterion::Taylor, 8, 2};
  return task;
}

inline ResultMessage sample_result() {
  TaskResult result;
  result.task = {"run-1", 7, 1, 2};
  result.update = sample_object();
  result.loss = {0.75};
  result.samples = 6000;
  result.time = {12.5};
  result.energy = {{321.25}, Provenance::Measured, "RAPL package-0, dram"};
  return {"gold-1.4711", result};
}

// A decoder as something that reads bytes and writes what it understood.
struct MessageKind {
  std::string name;
  std::string sample;
  std::string (*again)(std::string_view bytes);
};

inline const std::vector<MessageKind>& message_kinds() {
  using Bytes = std::string_view;
  static const std::vector<MessageKind> kinds{
      {"hello", encode(sample_hello()), [](Bytes b) { return encode(decode_hello(b)); }},
      {"welcome", encode(Welcome{"run-1", "gold", std::chrono::milliseconds(1500)}),
       [](Bytes b) { return encode(decode_welcome(b)); }},
      {"pulse", encode(Pulse{"gold-1.4711", AtWork{{"run-1", 7, 1, 2}, 0.25}}),
       [](Bytes b) { return encode(decode_pulse(b)); }},
      {"nod", encode(Nod{true}), [](Bytes b) { return encode(decode_nod(b)); }},
      {"pull", encode(PullRequest{"gold-1.4711", std::chrono::milliseconds(25'000)}),
       [](Bytes b) { return encode(decode_pull_request(b)); }},
      {"pulled", encode(Pulled(sample_pruning())),
       [](Bytes b) { return encode(decode_pulled(b)); }},
      {"result", encode(sample_result()), [](Bytes b) { return encode(decode_result(b)); }},
      {"receipt", encode(Receipt::Late), [](Bytes b) { return encode(decode_receipt(b)); }},
      {"request",
       encode(StreamRequest{WantedObject{"gold-1.4711", sample_object(), 1'048'576}, ""}),
       [](Bytes b) { return encode(decode_request(b)); }},
      {"offer", encode(StreamRequest{OfferedObject{"gold-1.4711", sample_object()}, "gold-1"}),
       [](Bytes b) { return encode(decode_request(b)); }},
      {"progress", encode(StreamAnswer(Progress{1'048'576, true})),
       [](Bytes b) { return encode(decode_answer(b)); }},
      {"answer", encode(StreamAnswer(Refusal{true, "too many nodes"})),
       [](Bytes b) { return encode(decode_answer(b)); }},
  };
  return kinds;
}

}  // namespace espalier
