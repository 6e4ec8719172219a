// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

// A mutation that begins with something sound: few bytes at random look like it.
inline std::size_t mutate_sound(const std::string& sound, std::uint8_t* bytes, std::size_t size,
                                std::size_t most) {
  if (size < 16 && sound.size() <= most) {
    std::copy(sound.begin(), sound.end(), bytes);
    size = sound.size();
  }
  return LLVMFuzzerMutate(bytes, size, most);
}
