// SPDX-License-Identifier: Apache-2.0
#include "io/record_frame.h"

#include <array>

namespace espalier {
namespace {

using CrcTable = std::array<std::uint32_t, 256>;

constexpr CrcTable crc_table() {
  constexpr std::uint32_t kReversedPolynomial = 0x82f63b78;
  CrcTable table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit)
      rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kReversedPolynomial : 0);
    table[i] = rest;
  }
  return table;
}

std::uint32_t masked(std::uint32_t crc) { return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U; }

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>((value >> (8 * i)) & 0xffU);
  return text;
}

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr CrcTable kTable = crc_table();
  std::uint32_t crc = 0xffffffff;
  for (const char byte : bytes)
    crc = (crc >> 8U) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xffU];
  return ~crc;
}

std::string framed_record(std::string_view bytes) {
  const std::string length = little_endian(bytes.size(), 8);
  std::string record = length + little_endian(masked(crc32c(length)), 4);
  record += bytes;
  return record + little_endian(masked(crc32c(bytes)), 4);
}

}  // namespace espalier
