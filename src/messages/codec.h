// SPDX-License-Identifier: Apache-2.0
// What crosses the network, as bytes and as values: the messages of espalier.proto. Every decoder
// checks everything: names, digests, enumerations, that numbers are finite and within bounds.
// Decoders throw Error{BadInput} with one line for what is malformed, and Error{NotAllowed} for
// another version of the protocol; nothing else. What an encoder wrote, its decoder reads.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "wire/link.h"
#include "wire/task.h"

namespace espalier {

inline constexpr std::uint32_t kWireVersion = 2;
// No message is longer. gRPC's own limit, never raised.
inline constexpr std::size_t kLargestMessage = std::size_t{4} << 20;
// So much of an object, at most, is on its way without having been acknowledged.
inline constexpr std::size_t kMostUnacknowledged = std::size_t{1} << 20;
// No message on a stream of objects is longer, its bytes aside.
inline constexpr std::size_t kLongestStreamMessage = 4096;
// So long, at most, a node waits for a task within one call.
inline constexpr std::chrono::milliseconds kLongestPull{25'000};

struct Pulse {
  std::string incarnation;
  std::optional<AtWork> at;
};

struct Nod {
  bool is_wanted = true;
};

struct PullRequest {
  std::string incarnation;
  std::chrono::milliseconds wait{};
};

struct ResultMessage {
  std::string incarnation;
  TaskResult result;
};

struct WantedObject {
  std::string incarnation;
  ObjectRef object;
  std::uint64_t offset = 0;  // ≤ object.size
};

struct OfferedObject {
  std::string incarnation;
  ObjectRef object;
};

// What a node sends on a stream, and what it gets.
struct StreamRequest {
  std::variant<WantedObject, OfferedObject> what;
  std::string node;  // for plain text alone; may be empty
};

struct Granted {};  // the bytes follow
struct Progress {
  std::uint64_t received = 0;
  bool is_safe = false;  // complete, and flushed to the disk
};
struct Refusal {
  bool is_temporary = false;
  std::string reason;
};
using StreamAnswer = std::variant<Granted, Progress, Refusal>;

// Text is cut, and made one line of UTF-8, where it is not. A loss that is not finite becomes 0
// where the task is not finished.
std::string encode(const Hello& hello);
std::string encode(const Welcome& welcome);
std::string encode(const Pulse& pulse);
std::string encode(const Nod& nod);
std::string encode(const PullRequest& request);
std::string encode(const Pulled& pulled);
std::string encode(const ResultMessage& message);
std::string encode(Receipt receipt);
std::string encode(const StreamRequest& request);
std::string encode(const StreamAnswer& answer);
// What goes before a message on a stream: two bytes.
std::string encode_length(std::size_t length);

Hello decode_hello(std::string_view bytes);
Welcome decode_welcome(std::string_view bytes);
Pulse decode_pulse(std::string_view bytes);
Nod decode_nod(std::string_view bytes);
PullRequest decode_pull_request(std::string_view bytes);
Pulled decode_pulled(std::string_view bytes);
ResultMessage decode_result(std::string_view bytes);
Receipt decode_receipt(std::string_view bytes);
StreamRequest decode_request(std::string_view bytes);
StreamAnswer decode_answer(std::string_view bytes);
// From 1 to kLongestStreamMessage.
std::size_t decode_length(std::string_view bytes);

}  // namespace espalier
