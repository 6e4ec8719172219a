// SPDX-License-Identifier: Apache-2.0
#include "training/learner_checks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "core/error.h"
#include "networks/parameters.h"
#include "networks/validation.h"

namespace espalier {
namespace {

void require(bool holds, const std::string& what, const std::string& hint = {}) {
  if (!holds) throw Error(ErrorCode::BadInput, what, hint);
}

std::string text_of(const ImageShape& shape) {
  return std::to_string(shape.channels) + "×" + std::to_string(shape.height) + "×" +
         std::to_string(shape.width);
}

uint16_t largest_label(const Samples& samples) {
  uint16_t largest = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) largest = std::max(largest, samples.label(i));
  return largest;
}

bool has_batch_norm(const Architecture& architecture) {
  return std::ranges::any_of(architecture.layers, [](const Layer& layer) {
    return std::holds_alternative<BatchNorm>(layer.kind);
  });
}

}  // namespace

void check_samples(const Samples& samples, const Architecture& architecture) {
  require(samples.shape() == architecture.input, "the images are " + text_of(samples.shape()) +
                                                     ", but the network takes " +
                                                     text_of(architecture.input));
  const int64_t classes = classes_of(architecture);
  const uint16_t largest = largest_label(samples);
  require(largest < classes, "there is a label " + std::to_string(largest) +
                                 ", but the network tells only " + std::to_string(classes) +
                                 " classes apart, 0 and up");
}

void check_training_samples(const Samples& samples, const Architecture& architecture) {
  check_samples(samples, architecture);
  require(samples.size() > 1 || !has_batch_norm(architecture),
          "a network with batch norms cannot learn from a single image",
          "give every node at least two images");
}

void check_teaching(const Teaching& teaching, const Architecture& student) {
  validate(teaching.teacher);
  const Architecture& teacher = teaching.teacher.architecture;
  require(teacher.input == student.input && classes_of(teacher) == classes_of(student),
          "teacher and student are for different images or classes");
  require(teaching.temperature > 0 && std::isfinite(teaching.temperature),
          "the temperature of a distillation must be positive and finite");
  require(teaching.mix >= 0 && teaching.mix <= 1, "the mix of a distillation must be within 0 … 1");
}

}  // namespace espalier
