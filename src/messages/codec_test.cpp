// SPDX-License-Identifier: Apache-2.0
#include "messages/codec.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "messages/checks.h"
#include "support/messages.h"

namespace espalier {
namespace {

// The message of what `act` throws, which must be of that code.
template <class Act>
std::string refusal_of(Act&& act, ErrorCode code = ErrorCode::BadInput) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "nothing was thrown";
}

std::string refusal_of_task(const Task& task) {
  return refusal_of([&] { decode_pulled(encode(Pulled(task))); });
}

std::string refusal_of_result(const TaskResult& result) {
  return refusal_of([&] { decode_result(encode(ResultMessage{"a", result})); });
}

TEST(Codec, EveryMessageSurvivesTheRoundTrip) {
  for (const MessageKind& kind : message_kinds())
    EXPECT_EQ(kind.again(kind.sample), kind.sample) << kind.name;
}

TEST(Codec, KeepsAllFieldsOfAHello) {
  const Hello hello = decode_hello(encode(sample_hello()));
  EXPECT_EQ(hello.nodes, "gold");
  EXPECT_EQ(hello.samples, 6000);
  EXPECT_EQ(hello.classes, 10);
  EXPECT_EQ(hello.channels, 1);
  EXPECT_EQ(hello.height, 28);
  EXPECT_EQ(hello.width, 28);
  EXPECT_EQ(hello.incarnation, "gold-1.4711");
  EXPECT_EQ(hello.program, "espalier 0.1.0");
}

TEST(Codec, KeepsAllFieldsOfATask) {
  const Pulled pulled = decode_pulled(encode(Pulled(sample_task())));
  const Task& task = std::get<Task>(pulled);
  EXPECT_EQ(task.id, (TaskId{"run-1", 7, 1, 2}));
  EXPECT_EQ(task.network, sample_object());
  EXPECT_EQ(task.learning.batch, 32);
  EXPECT_EQ(task.learning.learning_rate, 0.05);
  EXPECT_EQ(task.learning.momentum, 0.9);
  EXPECT_EQ(task.learning.weight_decay, 0.0005);
  EXPECT_EQ(task.learning.schedule, RateSchedule::Cosine);
  EXPECT_EQ(task.learning.jitter, 2);
  EXPECT_EQ(task.learning.seed, 42U);
  EXPECT_EQ(std::get<TrainWork>(task.work).local_epochs, 3);
  EXPECT_EQ(std::get<TrainWork>(task.work).share, 0.5);
  EXPECT_EQ(task.update_limit, 80'000'000U);
}

TEST(Codec, KeepsAllKindsOfWork) {
  const Pulled pulled = decode_pulled(encode(Pulled(sample_pruning())));
  const auto& prune = std::get<PruneWork>(std::get<Task>(pulled).work);
  EXPECT_EQ(prune.network, "vgg11");
  EXPECT_EQ(prune.width, 0.25);
  EXPECT_EQ(prune.gone, 0.5);
  EXPECT_EQ(prune.criterion, PruningCriterion::Taylor);
  EXPECT_EQ(prune.round_to, 8);
  EXPECT_EQ(prune.distil_epochs, 2);
  Task look = sample_task();
  look.work = EvaluateWork{256};
  const Pulled looked = decode_pulled(encode(Pulled(look)));
  EXPECT_EQ(std::get<EvaluateWork>(std::get<Task>(looked).work).most, 256);
}

TEST(Codec, TellsNothingFromADismissal) {
  EXPECT_TRUE(std::holds_alternative<Nothing>(decode_pulled(encode(Pulled(Nothing{})))));
  const Pulled end = decode_pulled(encode(Pulled(Dismissal{"the run is over"})));
  EXPECT_EQ(std::get<Dismissal>(end).reason, "the run is over");
}

TEST(Codec, KeepsAllFieldsOfAResult) {
  const ResultMessage message = decode_result(encode(sample_result()));
  EXPECT_EQ(message.incarnation, "gold-1.4711");
  EXPECT_EQ(message.result.task, (TaskId{"run-1", 7, 1, 2}));
  EXPECT_EQ(message.result.end, TaskEnd::Finished);
  EXPECT_EQ(message.result.update, sample_object());
  EXPECT_EQ(message.result.loss.value, 0.75);
  EXPECT_EQ(message.result.samples, 6000);
  EXPECT_EQ(message.result.time.value, 12.5);
  EXPECT_EQ(message.result.energy.energy.value, 321.25);
  EXPECT_EQ(message.result.energy.provenance, Provenance::Measured);
  EXPECT_EQ(message.result.energy.source, "RAPL package-0, dram");
}

TEST(Codec, EveryWordSurvives) {
  for (const Receipt receipt : {Receipt::Accepted, Receipt::Duplicate, Receipt::Late,
                                Receipt::Unselected, Receipt::Malformed})
    EXPECT_EQ(decode_receipt(encode(receipt)), receipt);
  for (const TaskEnd end :
       {TaskEnd::Finished, TaskEnd::Divergent, TaskEnd::Refused, TaskEnd::Failed}) {
    ResultMessage message = sample_result();
    message.result.end = end;
    EXPECT_EQ(decode_result(encode(message)).result.end, end);
  }
}

TEST(Codec, TextBecomesOneLineOfUtf8) {
  ResultMessage message = sample_result();
  message.result.message = "line\nnext \xff caf\xc3\xa9";
  EXPECT_EQ(decode_result(encode(message)).result.message, "line next   caf\xc3\xa9");
  message.result.message = std::string(999, 'x') + "\xc3\xa9";
  EXPECT_EQ(decode_result(encode(message)).result.message, std::string(999, 'x'));
}

TEST(Codec, ALossThatIsNoNumberTravelsOnlyWithoutAnUpdate) {
  ResultMessage message = sample_result();
  message.result.loss = {std::nan("")};
  EXPECT_EQ(refusal_of([&] { decode_result(encode(message)); }), "loss: not a finite number");
  message.result.end = TaskEnd::Divergent;
  EXPECT_EQ(decode_result(encode(message)).result.loss.value, 0);
}

TEST(Codec, RefusesNamesThatAreNone) {
  for (const char* bad : {"", "..", "../x", "a b", "a/b"}) {
    Task task = sample_task();
    task.id.run = bad;
    EXPECT_EQ(refusal_of_task(task), "run: not a name of 1 to 64 of A-Z a-z 0-9 . _ -") << bad;
  }
  Task task = sample_pruning();
  std::get<PruneWork>(task.work).network = "../vgg11";
  EXPECT_EQ(refusal_of_task(task), "network: not a name of 1 to 64 of A-Z a-z 0-9 . _ -");
}

TEST(Codec, RefusesNumbersOutOfBounds) {
  const double infinite = std::numeric_limits<double>::infinity();
  TaskResult result = sample_result().result;
  result.time = {infinite};
  EXPECT_EQ(refusal_of_result(result), "seconds: not a finite number");
  result = sample_result().result;
  result.samples = -1;
  EXPECT_EQ(refusal_of_result(result), "samples: out of bounds");
  result = sample_result().result;
  result.energy.energy = {-1};
  EXPECT_EQ(refusal_of_result(result), "energy: out of bounds");
  result = sample_result().result;
  result.task.epoch = -1;
  EXPECT_EQ(refusal_of_result(result), "epoch: out of bounds");
}

TEST(Codec, RefusesSharesThatAreNone) {
  const TaskId task{"run-1", 7, 1, 2};
  EXPECT_DOUBLE_EQ(decode_pulse(encode(Pulse{"gold-1", AtWork{task, 0.5}})).at->done, 0.5);
  for (const double share : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(decode_pulse(encode(Pulse{"gold-1", AtWork{task, share}})), Error) << share;
}

TEST(Codec, RefusesTasksThatMakeNoSense) {
  Task task = sample_task();
  task.learning.batch = 0;
  EXPECT_EQ(refusal_of_task(task), "batch: out of bounds");
  task = sample_task();
  task.learning.momentum = 1;
  EXPECT_EQ(refusal_of_task(task), "momentum: out of bounds");
  task = sample_task();
  task.work = TrainWork{1, 0};
  EXPECT_EQ(refusal_of_task(task), "share: out of bounds");
  task = sample_pruning();
  std::get<PruneWork>(task.work).gone = 1;
  EXPECT_EQ(refusal_of_task(task), "pruned share: out of bounds");
}

TEST(Codec, RefusesAnotherVersion) {
  std::string bytes = encode(sample_hello());
  ASSERT_EQ(bytes.substr(0, 2), std::string("\x08\x02"));
  bytes[1] = 1;
  EXPECT_EQ(refusal_of([&] { decode_hello(bytes); }, ErrorCode::NotAllowed),
            "hello: version 1 of the protocol; this is 2");
}

TEST(Codec, RefusesAnOffsetBeyondTheEnd) {
  const WantedObject wanted{"a", sample_object(), sample_object().size + 1};
  EXPECT_EQ(refusal_of([&] {
              decode_request(encode(StreamRequest{wanted, ""}));
            }),
            "offset: beyond the end of the object");
}

TEST(Codec, RefusesRequestsAndAnswersThatSayNothing) {
  EXPECT_EQ(refusal_of([&] { decode_request(""); }), "request: nothing that is known here");
  EXPECT_EQ(refusal_of([&] { decode_answer(""); }), "answer: nothing that is known here");
}

TEST(Codec, MessagesOnAStreamAreShort) {
  for (unsigned value = 0; value < 65'536; ++value) {  // all that there are
    const std::string bytes{static_cast<char>(value >> 8U), static_cast<char>(value & 255U)};
    if (value > 0 && value <= kLongestStreamMessage) {
      ASSERT_EQ(decode_length(bytes), value);
      ASSERT_EQ(encode_length(value), bytes);
    } else {
      ASSERT_EQ(refusal_of([&] { decode_length(bytes); }), "length: out of bounds");
    }
  }
  EXPECT_EQ(refusal_of([&] { decode_length("x"); }), "length: not two bytes");
  EXPECT_EQ(refusal_of([&] { decode_request(std::string(kLongestStreamMessage + 1, 'x')); }),
            "request: too long a message");
}

TEST(Codec, RefusesADigestOfAnotherLength) {
  // An object with one byte of a digest.
  const std::string bytes(
      "\x0a\x08\x0a\x01"
      "a"
      "\x12\x03\x0a\x01x",
      10);
  EXPECT_EQ(refusal_of([&] { decode_request(bytes); }), "object: a digest of another length");
}

}  // namespace
}  // namespace espalier
