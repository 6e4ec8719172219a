// SPDX-License-Identifier: Apache-2.0
#include "net/load.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <vector>

#include "core/parallel.h"
#include "io/model_file.h"
#include "networks/network_catalogue.h"
#include "wire/digest.h"

namespace espalier::bench {
namespace {

constexpr double kRounding = 1e-6;
constexpr const char* kDigestEnding = ".sha256";
constexpr std::size_t kValuesAtOnce = std::size_t{1} << 18U;

std::uint64_t values_of(const TensorEntry& entry) {
  return (entry.end - entry.begin) / sizeof(float);
}

float mark_of(int agent, int round) { return static_cast<float>(1 + agent + 1000 * round); }

double mean_mark(const Load& load, int round) {
  double sum = 0;
  for (int i = 0; i < load.agents; ++i)
    sum += static_cast<double>(samples_of_agent(i)) * static_cast<double>(mark_of(i, round));
  return sum / static_cast<double>(samples_of_all(load));
}

// A tensor's values in pieces: marks at its ends, zeros between.
template <class Use>
void each_piece(const TensorEntry& entry, float mark, const Use& use) {
  const std::uint64_t count = values_of(entry);
  std::vector<float> piece;
  for (std::uint64_t at = 0; at < count; at += kValuesAtOnce) {
    piece.assign(std::min<std::uint64_t>(kValuesAtOnce, count - at), 0.0F);
    if (at == 0) piece.front() = mark;
    if (at + piece.size() == count) piece.back() = mark;
    use(piece);
  }
}

}  // namespace

std::filesystem::path Load::certificates_of(int agent) const {
  return folder / "agents" / name_of_agent(agent);
}

std::filesystem::path Load::update_of(int agent, int round) const {
  return folder / (name_of_agent(agent) + ".update-" + std::to_string(round));
}

std::string name_of_agent(int agent) { return "agent-" + std::to_string(agent); }

std::int64_t samples_of_agent(int agent) { return 10 * (1 + agent % 5); }

std::int64_t samples_of_all(const Load& load) {
  std::int64_t sum = 0;
  for (int i = 0; i < load.agents; ++i) sum += samples_of_agent(i);
  return sum;
}

Architecture architecture_of(const Load& load) {
  return build_network("vgg11", {load.width, 10, {3, 32, 32}});
}

ObjectRef write_update(const Load& load, int agent, int round, const std::filesystem::path& path) {
  const float mark = mark_of(agent, round);
  TensorFileFront front = model_front(architecture_of(load), [&](const std::string& weight) {
    return load.has_momentum && (weight.ends_with(".weight") || weight.ends_with(".bias"));
  });
  for (const TensorEntry& entry : front.entries()) {
    front.begin(entry);
    each_piece(entry, mark, [&](const std::vector<float>& piece) { front.add(piece); });
  }
  const std::string text = front.text();
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  const auto put_mark = [&](std::uint64_t at) {
    file.seekp(static_cast<std::streamoff>(text.size() + at));
    file.write(reinterpret_cast<const char*>(&mark), sizeof mark);
  };
  for (const TensorEntry& entry : front.entries()) {
    put_mark(entry.begin);
    put_mark(entry.end - sizeof mark);
  }
  file.close();
  return object_in(path);
}

void write_updates(const Load& load) {
  const auto rounds = static_cast<std::size_t>(load.rounds);
  for_each_index(rounds * static_cast<std::size_t>(load.agents), 0, [&](unsigned, std::size_t i) {
    const int agent = static_cast<int>(i / rounds);
    const int round = static_cast<int>(i % rounds);
    const std::filesystem::path path = load.update_of(agent, round);
    std::ofstream(path.string() + kDigestEnding) << write_update(load, agent, round, path).sha256;
  });
}

ObjectRef known_update(const Load& load, int agent, int round) {
  const std::filesystem::path path = load.update_of(agent, round);
  ObjectRef update{"", std::filesystem::file_size(path)};
  std::ifstream(path.string() + kDigestEnding) >> update.sha256;
  return update;
}

bool is_average(const Load& load, int round, const std::filesystem::path& path) {
  const double mark = mean_mark(load, round);
  const auto is_near = [](float found, double expected) {
    return std::abs(static_cast<double>(found) - expected) <= kRounding * std::abs(expected);
  };
  const auto is_right = [&](const auto& named) {
    const std::vector<float>& values = named.second.values;
    return is_near(values.front(), mark) && is_near(values.back(), mark) &&
           std::all_of(values.begin() + 1, std::max(values.begin() + 1, values.end() - 1),
                       [](float value) { return value == 0; });
  };
  const Network network = load_model(path);
  return std::ranges::all_of(network.weights, is_right) &&
         std::ranges::all_of(network.momentum, is_right);
}

}  // namespace espalier::bench
