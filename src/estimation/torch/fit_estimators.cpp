// SPDX-License-Identifier: Apache-2.0
#include "estimation/torch/fit_estimators.h"

#include <numeric>
#include <string>
#include <vector>

#include "core/error.h"
#include "estimation/fresh_estimator.h"
#include "estimation/torch/change_pass.h"
#include "estimation/torch/fit_loop.h"
#include "estimation/torch/run_pass.h"
#include "training/torch/guarded.h"

namespace espalier {
namespace {

// Curves, or changes, that pass at once where nothing is learned.
constexpr std::size_t kJudgedAtOnce = 64;

void require_examples(std::size_t learned, std::size_t validation, const std::string& what) {
  const auto too_few = [&](std::size_t count, const std::string& use, std::size_t needed) {
    throw Error(ErrorCode::BadInput,
                "fit: " + std::to_string(count) + " " + what + " to " + use + "; at least " +
                    std::to_string(needed) + " are needed",
                "collect more traces");
  };
  if (learned < kFewestLearned) too_few(learned, "learn from", kFewestLearned);
  if (validation == 0) too_few(0, "validate with", 1);
}

// Those from which something can be learned.
std::vector<RunTable> tables_of(std::span<const RunSequence> sequences) {
  std::vector<RunTable> tables;
  for (const RunSequence& sequence : sequences) {
    check_sequence(sequence);
    if (examples_in(sequence) > 0) tables.push_back(run_table(sequence));
  }
  return tables;
}

ChangeTable checked_table(std::span<const ChangeExample> examples) {
  for (const ChangeExample& example : examples) check_example(example);
  return change_table(examples);
}

RunBatch batch_of(const std::vector<RunTable>& tables, std::span<const std::uint32_t> positions) {
  std::vector<const RunTable*> chosen;
  for (const std::uint32_t position : positions) chosen.push_back(&tables[position]);
  return run_batch(chosen);
}

std::vector<std::uint32_t> all_positions(std::size_t count) {
  std::vector<std::uint32_t> positions(count);
  std::iota(positions.begin(), positions.end(), 0U);
  return positions;
}

std::vector<at::Tensor> trained_among(const TorchTensors& weights) {
  std::vector<at::Tensor> trained;
  for (const auto& [name, weight] : weights) {
    if (name.ends_with(".weight") || name.ends_with(".bias")) trained.push_back(weight);
  }
  return trained;
}

// Made once: they are judged after each epoch. `make` gives the batch of positions.
template <class Make>
auto judged_batches(std::size_t count, const Make& make) {
  const std::vector<std::uint32_t> all = all_positions(count);
  std::vector<decltype(make(std::span<const std::uint32_t>(all)))> batches;
  for (std::size_t i = 0; i < count; i += kJudgedAtOnce) {
    batches.push_back(make(std::span(all).subspan(i, std::min(kJudgedAtOnce, count - i))));
  }
  return batches;
}

// `loss` of each batch gives a sum.
template <class Batches, class LossOf>
double mean_loss(const Batches& batches, const LossOf& loss_of) {
  const at::NoGradGuard no_grad;
  double sum = 0;
  double count = 0;
  for (const auto& batch : batches) {
    const LossSum loss = loss_of(batch);
    sum += loss.sum.template item<double>();
    count += loss.count;
  }
  return sum / count;
}

FittedNetwork fitted(const TorchTensors& weights, const Fitting& fitting, const FitOptions& options,
                     const FitWatch& watch) {
  const FitOutcome outcome = fit_weights(trained_among(weights), fitting, options, watch);
  return {plain_tensors(weights), outcome.last, outcome.end};
}

// libtorch keeps the number of threads for each thread that calls it.
void use_one_core() {
  if (at::get_num_threads() != 1) at::set_num_threads(1);
}

FittedNetwork fit_run(const std::vector<RunTable>& learned, const std::vector<RunTable>& validation,
                      const FitOptions& options, const FitWatch& watch) {
  use_one_core();
  const TorchTensors weights =
      torch_tensors(fresh_weights({.hidden = options.hidden}, learned, options.seed));
  const auto judged = judged_batches(
      validation.size(), [&](auto positions) { return batch_of(validation, positions); });
  const auto loss_of = [&](const RunBatch& batch) { return run_loss(weights, batch); };
  Fitting fitting{
      .lengths = {},
      .loss = [&](auto positions) { return loss_of(batch_of(learned, positions)); },
      .validation_loss = [&] { return mean_loss(judged, loss_of); },
  };
  for (const RunTable& table : learned) fitting.lengths.push_back(table.losses.size());
  return fitted(weights, fitting, options, watch);
}

FittedNetwork fit_change(const ChangeTable& learned, const ChangeTable& validation,
                         const FitOptions& options, const FitWatch& watch) {
  use_one_core();
  const TorchTensors weights = torch_tensors(fresh_weights(ChangeShape{}, learned, options.seed));
  const auto judged = judged_batches(validation.targets.size(), [&](auto positions) {
    return change_batch(validation, positions);
  });
  const auto loss_of = [&](const ChangeBatch& batch) { return change_loss(weights, batch); };
  const Fitting fitting{
      .lengths = std::vector<std::size_t>(learned.targets.size(), 1),
      .loss = [&](auto positions) { return loss_of(change_batch(learned, positions)); },
      .validation_loss = [&] { return mean_loss(judged, loss_of); },
  };
  return fitted(weights, fitting, options, watch);
}

}  // namespace

FittedNetwork fit_run_estimator(const RunSequences& sequences, const FitOptions& options,
                                const FitWatch& watch) {
  validate(options);
  const std::vector<RunTable> learned = tables_of(sequences.learned);
  const std::vector<RunTable> validation = tables_of(sequences.validation);
  require_examples(learned.size(), validation.size(), "curves");
  return guarded([&] { return fit_run(learned, validation, options, watch); });
}

FittedNetwork fit_change_estimator(const ChangeExamples& examples, const FitOptions& options,
                                   const FitWatch& watch) {
  validate(options);
  const ChangeTable learned = checked_table(examples.learned);
  const ChangeTable validation = checked_table(examples.validation);
  require_examples(learned.targets.size(), validation.targets.size(), "changes");
  return guarded([&] { return fit_change(learned, validation, options, watch); });
}

}  // namespace espalier
