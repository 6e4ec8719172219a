// SPDX-License-Identifier: Apache-2.0
#include "node/own_data.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "io/wording.h"
#include "laboratory/owned_data.h"
#include "realisations/rng.h"

namespace espalier {
namespace {

[[noreturn]] void bad_part(const std::string& text) {
  throw Error(ErrorCode::BadInput, "'" + shown(text) + "' is no part of a data set",
              "--samples all, 500 for so many of them, 2/3 for the second of three parts, or "
              "2/3:500 for both");
}

std::size_t parse_count(std::string_view digits, const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value == 0) bad_part(text);
  return value;
}

// Where every tenth image is of the same class, every tenth would be of one class alone: so not in
// even steps, but by the golden ratio early or late in their step.
SampleList spread_list(std::size_t all, std::size_t count) {
  constexpr double kGolden = 0.61803398874989485;
  const double step = static_cast<double>(all) / static_cast<double>(count);
  // Steps that are shorter could meet.
  const double early_or_late = step * kGolden >= 1 ? 1 : 0;
  SampleList list(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<double>(i);
    const double shift = early_or_late * (kGolden * place - std::floor(kGolden * place));
    list[i] = static_cast<std::uint32_t>((place + shift) * step);
  }
  return list;
}

SampleList part_list(std::size_t all, const OwnPart& part) {
  SampleList own;
  // One of as many in a row as there are parts; drawn anew each time, for the same reason: no fixed
  // step suits every number of classes.
  for (std::size_t row = 0; row * part.parts < all; ++row) {
    const std::size_t turn = CounterRng(0).bits({.index = row}) % part.parts;
    const std::size_t i = row * part.parts + (part.part - 1 + turn) % part.parts;
    if (i < all) own.push_back(static_cast<std::uint32_t>(i));
  }
  if (part.most == 0 || part.most >= own.size()) return own;
  SampleList some;
  for (const std::uint32_t i : spread_list(own.size(), part.most)) some.push_back(own[i]);
  return some;
}

Images copy_of(const Samples& samples) {
  const ImageShape shape = samples.shape();
  Images images{static_cast<int>(shape.channels),
                static_cast<int>(shape.height),
                static_cast<int>(shape.width),
                {},
                {}};
  images.pixels.reserve(samples.size() * images.bytes_per_image());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto pixels = samples.pixels(i);
    images.pixels.insert(images.pixels.end(), pixels.begin(), pixels.end());
    images.labels.push_back(samples.label(i));
  }
  return images;
}

std::size_t node_set_named(const Scenario& scenario, const std::string& nodes) {
  std::vector<std::string> names;
  for (const NodeDataSpec& spec : scenario.training->nodes) {
    names.push_back(scenario.node_sets[spec.nodes.pos()].name);
    if (names.back() == nodes) return spec.nodes.pos();
  }
  throw Error(ErrorCode::BadInput, fmt::format("the scenario has no data for node set '{}'{}",
                                               shown(nodes), did_you_mean(nodes, names)));
}

}  // namespace

OwnPart parse_own_part(const std::string& text) {
  OwnPart part;
  std::string_view rest = text;
  if (rest == "all") return part;
  const auto colon = rest.find(':');
  const auto slash = rest.substr(0, colon).find('/');
  if (slash == std::string_view::npos) {
    if (colon != std::string_view::npos) bad_part(text);
    part.most = parse_count(rest, text);
    return part;
  }
  if (colon != std::string_view::npos) part.most = parse_count(rest.substr(colon + 1), text);
  part.part = parse_count(rest.substr(0, slash), text);
  part.parts = parse_count(rest.substr(0, colon).substr(slash + 1), text);
  if (part.part > part.parts) bad_part(text);
  return part;
}

OwnData open_own_data(const std::string& dataset, const OwnPart& part, const OpenOptions& options) {
  const Dataset all = open_dataset(dataset, options);
  const SampleList own = part_list(all.train.size(), part);
  if (own.empty())
    throw Error(ErrorCode::BadInput,
                fmt::format("'{}' leaves this node no image to learn from", shown(dataset)),
                "a node needs two training images at least; see --data and --samples");
  return {all.name, copy_of(Samples(all.train, own)), static_cast<int>(all.classes.size())};
}

OwnData open_member_data(const Scenario& scenario, const std::string& nodes, int member,
                         const OpenOptions& options) {
  if (!scenario.training)
    throw Error(ErrorCode::BadInput, "the scenario has no training section", "add one");
  const NodeSetId set{static_cast<std::int32_t>(node_set_named(scenario, nodes))};
  const OwnedData all(scenario, options);
  const auto members = all.members(set);
  if (member < 1 || static_cast<std::size_t>(member) > members.size())
    throw Error(ErrorCode::BadInput, fmt::format("node set '{}' has {} members, and no member {}",
                                                 shown(nodes), members.size(), member));
  return {scenario.training->dataset,
          copy_of(members[static_cast<std::size_t>(member) - 1].samples),
          static_cast<int>(all.classes())};
}

Samples spread_over(const Images& images, std::size_t count) {
  if (count == 0 || count >= images.size()) return Samples::all(images);
  return {images, spread_list(images.size(), count)};
}

}  // namespace espalier
