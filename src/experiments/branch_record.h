// SPDX-License-Identifier: Apache-2.0
// What is known of one run, as a value and as the text of its file: the sources of its energy
// figures as comments, then its trace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/provenance.h"
#include "core/trace.h"
#include "experiments/experiment_tree.h"

namespace espalier {

struct BranchRecord {
  std::vector<EnergySource> sources;  // each once
  std::vector<TraceRow> rows;

  void add_source(const EnergySource& source);
  // How many steps of the branch it tells about.
  int steps(const Branch& branch) const;
};

// "modelled a100: 400 W × load" and back; the source may not contain line ends.
std::string source_text(const EnergySource& source);
EnergySource parse_source(std::string_view text, const std::string& where);

std::string record_text(const BranchRecord& record);
// Throws Error{BadInput} with `file` and line.
BranchRecord parse_record(std::string_view text, const std::string& file);

// After so many steps the branch ends: all of them, or fewer if it is seen that the loss is low
// enough.
int last_step(const BranchRecord& record, const Branch& branch);

// A training begins with how the network was found; then there is one row per step.
int rows_before_first_step(const Branch& branch);

// Whether rows are those of the steps after `from` of the branch, without a gap; at 0 with what
// comes before the first step.
bool fits(const std::vector<TraceRow>& rows, const Branch& branch, int from);

// `longer` tells about the steps after `from`, perhaps some that `known` tells about too: those
// stay as they are known. Throws Error{RunFailed} if they have other losses. REQUIRES: no gap.
BranchRecord joined(BranchRecord known, const BranchRecord& longer, const Branch& branch, int from);

}  // namespace espalier
