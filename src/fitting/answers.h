// SPDX-License-Identifier: Apache-2.0
// What everybody said of losses that nobody had learnt from, and what came.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "estimation/horizons.h"
#include "estimation/judgement.h"
#include "fitting/voices.h"

namespace espalier {

struct HeldOut {
  std::size_t run = 0;                  // position of its story
  std::optional<std::size_t> family{};  // where whole families were dealt out: which one
  std::size_t fold = 0;                 // whose estimators were asked
  int epoch = 0;                        // after which was asked
  std::size_t stage = 0;                // where the stage began, and the newest loss then
  double from = 0;
  std::size_t item = 0;  // which of the run's changes
  double came = 0;
  Said said{};
};

using Answers = std::vector<HeldOut>;
// For each of kHorizons; of changes there is one.
using AnswersAhead = std::vector<Answers>;

// What one voice said. Runs are told apart by their positions.
std::vector<Judged> judged_by(Voice voice, std::span<const HeldOut> answers);

// What is answered in this fold only, or in all others.
Answers in_fold(const Answers& answers, std::size_t fold);
Answers outside_fold(const Answers& answers, std::size_t fold);

}  // namespace espalier
