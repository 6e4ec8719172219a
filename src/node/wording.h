// SPDX-License-Identifier: Apache-2.0
// Tasks and results in words, for the agent's log.
#pragma once

#include <string>

#include "wire/task.h"

namespace espalier {

// "epoch 3", and ", attempt 2" where it is not the first.
std::string words_of(const TaskId& task);
// "train", "look at the network", "prune to 50 %".
std::string words_of(const std::variant<TrainWork, EvaluateWork, PruneWork>& work);
// "loss 0.41 on 1000 samples, 1.3 s, 25 J (modelled: …)", or what went wrong.
std::string words_of(const TaskResult& result);

}  // namespace espalier
