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

inline constexpr std::uint32_t kWireVersion = 1;
// No message is longer. gRPC's own limit, never raised.
inline constexpr std::size_t kLargestMessage = std::size_t{4} << 20;
// So much of an object, at most, is in one message, or on its way without having been acknowledged.
inline constexpr std::size_t kLargestPiece = std::size_t{1} << 20;
// So long, at most, a node waits for a task within one call.
inline constexpr std::chrono::milliseconds kLongestPull{25'000};

struct Pulse {
  std::string incarnation;
  std::optional<TaskId> at;
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

// An upload: first what comes, then its bytes.
struct PutBegin {
  std::string incarnation;
  ObjectRef object;
};
struct PutPiece {
  std::uint64_t offset = 0;
  std::string bytes;  // never empty
};
using PutPart = std::variant<PutBegin, PutPiece>;

struct PutProgress {
  std::uint64_t received = 0;
  bool is_safe = false;     // complete, and flushed to the disk
  std::uint32_t piece = 0;  // bytes that the next ones may have; 0: nothing is said
};

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
std::string encode(const WantedObject& wanted);
std::string encode(const PutBegin& begin);
std::string encode_put_piece(std::uint64_t offset, const std::string& bytes);
std::string encode(const PutProgress& progress);
std::string encode_piece(const std::string& bytes);

Hello decode_hello(std::string_view bytes);
Welcome decode_welcome(std::string_view bytes);
Pulse decode_pulse(std::string_view bytes);
Nod decode_nod(std::string_view bytes);
PullRequest decode_pull_request(std::string_view bytes);
Pulled decode_pulled(std::string_view bytes);
ResultMessage decode_result(std::string_view bytes);
Receipt decode_receipt(std::string_view bytes);
WantedObject decode_wanted(std::string_view bytes);
PutPart decode_put_part(std::string_view bytes);
PutProgress decode_put_progress(std::string_view bytes);
// Never empty.
std::string decode_piece(std::string_view bytes);

}  // namespace espalier
