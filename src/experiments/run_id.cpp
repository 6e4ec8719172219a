// SPDX-License-Identifier: Apache-2.0
#include "experiments/run_id.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/error.h"

namespace espalier {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_read = error == std::errc{} && end == text.data() + text.size();
  return is_read ? std::optional(value) : std::nullopt;
}

// "5x0.5"
struct Cut {
  int epochs;
  double ratio;
};

std::optional<Cut> parse_cut(std::string_view text) {
  const std::size_t at = text.find('x');
  if (at == std::string_view::npos) return std::nullopt;
  const auto epochs = number<int>(text.substr(0, at));
  const auto ratio = number<double>(text.substr(at + 1));
  if (!epochs || !ratio || *epochs < 1 || !(*ratio >= 0 && *ratio < 1)) return std::nullopt;
  return Cut{*epochs, *ratio};
}

// Reads an id from the left, one part after the other.
class Walk {
 public:
  explicit Walk(std::string_view run) : run_(run) {}

  std::optional<RunPlace> to_the_end() {
    const auto seed = number<std::uint64_t>(next());
    if (!seed || is_over()) return std::nullopt;
    place_.seed = *seed;
    if (!hand_over()) return std::nullopt;
    while (!is_over()) {
      if (!prune() || (!is_over() && !hand_over())) return std::nullopt;
    }
    return place_;
  }

 private:
  bool is_over() const { return position_ > run_.size(); }
  std::string before() const { return std::string(run_.substr(0, position_ - 1)); }

  std::string_view next() {
    const std::size_t end = std::min(run_.find('/', position_), run_.size());
    const std::string_view part = run_.substr(position_, end - position_);
    position_ = end + 1;
    return part;
  }

  bool hand_over() {
    if (place_.ratio) place_.origin = {before(), 1};
    place_.nodes_before = place_.nodes;
    place_.ratio.reset();
    place_.nodes = next();
    return !place_.nodes.empty();
  }

  bool prune() {
    std::string origin = before();
    const auto cut = parse_cut(next());
    if (!cut) return false;
    place_.origin = {std::move(origin), cut->epochs};
    place_.nodes_before = place_.nodes;
    place_.epochs_before += cut->epochs;
    place_.ratio = cut->ratio;
    place_.prune = 1 - (1 - place_.prune) * (1 - cut->ratio);
    return true;
  }

  const std::string_view run_;
  std::size_t position_ = 0;  // behind the last '/' read
  RunPlace place_;
};

}  // namespace

std::string first_run_id(std::uint64_t seed, std::string_view nodes) {
  return fmt::format("{}/{}", seed, nodes);
}

std::string pruned_run_id(std::string_view run, int epochs, double ratio) {
  return fmt::format("{}/{}x{}", run, epochs, ratio);
}

std::string handed_over_run_id(std::string_view pruned_run, std::string_view nodes) {
  return fmt::format("{}/{}", pruned_run, nodes);
}

std::optional<RunPlace> place_of(std::string_view run) { return Walk(run).to_the_end(); }

std::vector<RunOrigin> lineage_of(const std::string& run, int steps) {
  std::vector<RunOrigin> runs{{run, steps}};
  for (;;) {
    const auto place = place_of(runs.back().run);
    ESPALIER_CHECK(place.has_value());
    if (!place->origin) break;
    runs.push_back(*place->origin);
  }
  std::reverse(runs.begin(), runs.end());
  return runs;
}

}  // namespace espalier
