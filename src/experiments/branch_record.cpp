// SPDX-License-Identifier: Apache-2.0
#include "experiments/branch_record.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/error.h"
#include "core/provenance.h"
#include "io/trace_file.h"
#include "io/wording.h"

namespace espalier {
namespace {

constexpr std::array<std::string_view, 3> kProvenances{"measured", "estimated", "modelled"};
constexpr std::string_view kSourceMark = "# energy ";

// Where the rows of the steps after `from` begin; they bring along what comes before the first.
std::size_t first_row(const Branch& branch, int from) {
  return static_cast<std::size_t>(from == 0 ? 0 : rows_before_first_step(branch) + from);
}

TraceEvent event_at(const Branch& branch, std::size_t position) {
  if (branch.kind == Branch::Kind::Pruning) return TraceEvent::Prune;
  if (position > 0) return TraceEvent::Epoch;
  return branch.parent ? TraceEvent::HandOver : TraceEvent::Start;
}

void check_same(const TraceRow& known, const TraceRow& again) {
  if (known.loss == again.loss && known.val_loss == again.val_loss) return;
  throw Error(
      ErrorCode::RunFailed,
      fmt::format("run {} was trained again up to epoch {}, and its loss is {} instead of {}",
                  again.run, again.epoch, again.loss.value, known.loss.value),
      "the folder was made by another version, with other data or on another kind of "
      "machine; collect into another --output");
}

}  // namespace

void BranchRecord::add_source(const EnergySource& source) {
  if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
}

int BranchRecord::steps(const Branch& branch) const {
  return std::max(0, static_cast<int>(rows.size()) - rows_before_first_step(branch));
}

std::string source_text(const EnergySource& source) {
  return fmt::format("{} {}", name_of(source.provenance), source.source);
}

EnergySource parse_source(std::string_view text, const std::string& where) {
  const std::string_view name = text.substr(0, text.find(' '));
  const auto found = std::find(kProvenances.begin(), kProvenances.end(), name);
  if (found == kProvenances.end() || name.size() == text.size()) {
    throw Error(ErrorCode::BadInput,
                fmt::format("{}: '{}' is no source of energy figures", where, shown(text)),
                "write measured, estimated or modelled, and what it was");
  }
  return {static_cast<Provenance>(found - kProvenances.begin()),
          std::string(text.substr(name.size() + 1))};
}

std::string record_text(const BranchRecord& record) {
  std::string text;
  for (const EnergySource& source : record.sources)
    text += fmt::format("{}{}\n", kSourceMark, source_text(source));
  return text + trace_text(record.rows);
}

BranchRecord parse_record(std::string_view text, const std::string& file) {
  BranchRecord record;
  while (text.starts_with(kSourceMark)) {
    const std::string_view line = text.substr(0, text.find('\n'));
    record.add_source(parse_source(line.substr(kSourceMark.size()), file));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  record.rows = parse_traces(text, file);
  return record;
}

int last_step(const BranchRecord& record, const Branch& branch) {
  const int known = std::min(record.steps(branch), branch.steps);
  for (int step = 1; step <= known; ++step) {
    const auto row = static_cast<std::size_t>(rows_before_first_step(branch) + step - 1);
    if (branch.may_end(step, record.rows[row].loss)) return step;
  }
  return branch.steps;
}

int rows_before_first_step(const Branch& branch) {
  return branch.kind == Branch::Kind::Training ? 1 : 0;
}

bool fits(const std::vector<TraceRow>& rows, const Branch& branch, int from) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t position = first_row(branch, from) + i;
    const int epoch = branch.epochs_before + static_cast<int>(position);
    if (rows[i].run != branch.run || rows[i].epoch != epoch ||
        rows[i].event != event_at(branch, position))
      return false;
  }
  return true;
}

BranchRecord joined(BranchRecord known, const BranchRecord& longer, const Branch& branch,
                    int from) {
  const std::size_t first = first_row(branch, from);
  ESPALIER_CHECK(first <= known.rows.size());
  for (std::size_t i = 0; i < longer.rows.size(); ++i) {
    const std::size_t position = first + i;
    if (position < known.rows.size()) {
      check_same(known.rows[position], longer.rows[i]);
    } else {
      known.rows.push_back(longer.rows[i]);
    }
  }
  for (const EnergySource& source : longer.sources) known.add_source(source);
  return known;
}

}  // namespace espalier
