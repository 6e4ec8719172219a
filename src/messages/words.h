// SPDX-License-Identifier: Apache-2.0
// Our enumerations and those of espalier.proto, side by side. Only for the sources of this folder.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <espalier.pb.h>

#include "core/error.h"
#include "core/meter.h"
#include "core/workload.h"
#include "messages/checks.h"
#include "wire/link.h"
#include "wire/task.h"

namespace espalier {

namespace proto = ::espalier::v1;

template <class Ours, class Theirs>
struct SameWord {
  Ours ours;
  Theirs theirs;
};
template <class Ours, class Theirs>
SameWord(Ours, Theirs) -> SameWord<Ours, Theirs>;

inline constexpr std::array kScheduleWords{
    SameWord{RateSchedule::Constant, proto::Learning::CONSTANT},
    SameWord{RateSchedule::Cosine, proto::Learning::COSINE},
    SameWord{RateSchedule::Step, proto::Learning::STEP},
};

inline constexpr std::array kCriterionWords{
    SameWord{PruningCriterion::GroupL2, proto::Prune::GROUP_L2},
    SameWord{PruningCriterion::BatchNormScale, proto::Prune::BATCH_NORM_SCALE},
    SameWord{PruningCriterion::Taylor, proto::Prune::TAYLOR},
    SameWord{PruningCriterion::Random, proto::Prune::RANDOM},
};

inline constexpr std::array kProvenanceWords{
    SameWord{Provenance::Measured, proto::Energy::MEASURED},
    SameWord{Provenance::Estimated, proto::Energy::ESTIMATED},
    SameWord{Provenance::Modelled, proto::Energy::MODELLED},
};

inline constexpr std::array kTaskEnds{
    SameWord{TaskEnd::Finished, proto::Result::FINISHED},
    SameWord{TaskEnd::Divergent, proto::Result::DIVERGENT},
    SameWord{TaskEnd::Refused, proto::Result::REFUSED},
    SameWord{TaskEnd::Failed, proto::Result::FAILED},
};

inline constexpr std::array kReceipts{
    SameWord{Receipt::Accepted, proto::Received::ACCEPTED},
    SameWord{Receipt::Duplicate, proto::Received::DUPLICATE},
    SameWord{Receipt::Late, proto::Received::LATE},
    SameWord{Receipt::Unselected, proto::Received::UNSELECTED},
    SameWord{Receipt::Malformed, proto::Received::MALFORMED},
};

template <class Ours, class Theirs, std::size_t Count>
Theirs to_proto(const std::array<SameWord<Ours, Theirs>, Count>& words, Ours ours) {
  for (const auto& word : words)
    if (word.ours == ours) return word.theirs;
  report_bug("the word is known", __FILE__, __LINE__);
}

template <class Ours, class Theirs, std::size_t Count>
Ours from_proto(const std::array<SameWord<Ours, Theirs>, Count>& words, Theirs theirs,
                std::string_view field) {
  for (const auto& word : words)
    if (word.theirs == theirs) return word.ours;
  refuse_field(field, "an unknown word");
}

}  // namespace espalier
