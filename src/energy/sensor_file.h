// SPDX-License-Identifier: Apache-2.0
// Reads the one-line files in which Linux tells what sensors say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

namespace espalier {

enum class SensorTrouble { Missing, Denied, Unreadable, Garbage };

// Why a file tells nothing.
struct SensorFault {
  SensorTrouble trouble = SensorTrouble::Unreadable;
  std::string what;  // "/sys/…/energy_uj: not readable: Permission denied"
};

template <class Value>
using Sensed = std::variant<Value, SensorFault>;

// The first `most` bytes, without white space and zero bytes at the end. Only regular files: never
// blocks.
Sensed<std::string> read_sensor_text(const std::filesystem::path& path,
                                     std::size_t most = std::size_t{4096});

// The same, and empty text where a file tells nothing.
std::string sensor_text_or_empty(const std::filesystem::path& path,
                                 std::size_t most = std::size_t{4096});

// A whole number; anything else, a sign included, is garbage.
Sensed<uint64_t> read_sensor_count(const std::filesystem::path& path);

// A whole number that may be negative.
Sensed<int64_t> read_sensor_level(const std::filesystem::path& path);

}  // namespace espalier
