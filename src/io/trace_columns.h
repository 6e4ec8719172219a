// SPDX-License-Identifier: Apache-2.0
// Which columns a trace file has, and where.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace espalier {

// The first line of every trace file that we write.
inline constexpr std::string_view kTraceHeader =
    "run,seed,epoch,model,nodes,prune,samples,classes,loss,val_loss,time,energy,event";

// In the order of kTraceHeader.
enum class TraceColumn {
  Run,
  Seed,
  Epoch,
  Model,
  Nodes,
  Prune,
  Samples,
  Classes,
  TrainingLoss,
  ValidationLoss,
  Time,
  Energy,
  Event,
};
inline constexpr std::size_t kTraceColumns = 13;

std::string_view name_of(TraceColumn column);

struct TraceColumns {
  std::string header{};  // the line that they were read from
  std::size_t count = 0;
  std::array<std::optional<std::size_t>, kTraceColumns> places{};  // from the left; nothing: absent

  std::optional<std::size_t> place(TraceColumn column) const {
    return places[static_cast<std::size_t>(column)];
  }
};

// All of them, in our order.
TraceColumns own_columns();

// Those that a first line names, in any order. Only run, epoch and loss must be there. Throws
// Error{BadInput} that begins with `where`, as in "traces.csv:1".
TraceColumns parse_columns(std::string_view header, const std::string& where);

}  // namespace espalier
