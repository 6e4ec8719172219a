// SPDX-License-Identifier: Apache-2.0
// What every learner asks of its input. All throw Error{BadInput}.
#pragma once

#include "networks/architecture.h"
#include "training/learner.h"
#include "training/samples.h"

namespace espalier {

// Images of the network's shape, with labels that it has a logit for.
void check_samples(const Samples& samples, const Architecture& architecture);

// Also: more than one where there are batch norms, which know no variance of a single image.
void check_training_samples(const Samples& samples, const Architecture& architecture);

// A teacher for the same images and classes, and numbers that make sense.
void check_teaching(const Teaching& teaching, const Architecture& student);

}  // namespace espalier
