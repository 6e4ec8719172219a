// SPDX-License-Identifier: Apache-2.0
#include "node/torch/crew_texts.h"

#include <array>
#include <climits>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

namespace espalier {

std::string data_key(int rank) { return fmt::format("data/{}", rank); }
std::string left_key(int rank) { return fmt::format("left/{}", rank); }
std::string order_key(int number) { return fmt::format("order/{}", number); }
std::string answer_key(int number, int rank) { return fmt::format("here/{}/{}", number, rank); }
std::string crew_key(int number) { return fmt::format("crew/{}", number); }
std::string group_key(int number) { return fmt::format("group/{}", number); }
std::string energy_key(int number, int rank) { return fmt::format("energy/{}/{}", number, rank); }

std::string words_of(const std::vector<int>& ranks) {
  return fmt::format("{}", fmt::join(ranks, " "));
}

std::vector<int> ranks_in(const std::string& words) {
  std::istringstream stream(words);
  std::vector<int> ranks;
  for (int rank = 0; stream >> rank;) ranks.push_back(rank);
  return ranks;
}

std::string fingerprint_of(const Images& images) {
  std::uint64_t hash = 14'695'981'039'346'656'037U;
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 1'099'511'628'211U; };
  for (const std::uint8_t pixel : images.pixels) add(pixel);
  for (const std::uint16_t label : images.labels) add(label);
  return fmt::format("{} images, {:016x}", images.size(), hash);
}

// Containers of one machine have names of their own, and this in common.
std::string this_machine() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  if (!id.empty()) return id;
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name[0] == '\0' ? "unknown" : name.data();
}

}  // namespace espalier
