// SPDX-License-Identifier: Apache-2.0
// What theory allows to hope for. The robust estimate, which is the upper end of a range, is never
// more optimistic than that: where it is below the bound, the bound takes its place. Low and mean
// stay.
//
// Epochs. Li et al., "On the convergence of FedAvg on non-iid data" (ICLR 2020), theorem 1: with
// steps of size 2/(μ(γ + t)) the squared distance to the best weights, Δ, obeys
//     Δ(t+1) ≤ (1 − 2/(γ + t))·Δ(t) + 4B/(μ²(γ + t)²),   so that   Δ(t) ≤ v/(γ + t),
// with v = max(4B/μ², γ·Δ(0)). Here t counts local steps, γ = max(8κ, E), E are the steps between
// two averagings, κ ≥ 1 the condition number, and B grows with noise and with how different the
// nodes' data are. The theorem holds for any first weights, so it can be applied to those of now,
// with steps whose schedule begins now. Its guarantee for h epochs later is
//     Δ(h) ≤ max(4B/μ² / (γ + S·h), Δ(0)·γ/(γ + S·h)),   S steps per epoch.
// Nobody knows B, μ and κ. But whatever they are, the guarantee is never better than its second
// term, and that is best for the least γ. With one averaging per epoch E = S, so γ/S ≥ 1; a loss
// above its floor F is proportional to Δ at best. Therefore no theory promises a loss below
//     F + (loss − F)/(1 + h),
// and the less the smaller F is taken: 0 is always allowed. A robust estimate that falls faster
// than O(1/h) is hope, not robust.
// Whoever follows one schedule since his stage began, k epochs ago, is promised less, (1 + k)/(1 +
// k + h) of the loss. But that is about steps that have become small by now. At a rate that stays
// as it is nothing was used up, and the bound would be no bound: nearly half of the losses of
// factory-experiments.yaml, which are trained at a constant rate, come to lie below it.
//
// Pruning. Let δ be the weights that are taken away from w. By smoothness (constant L) the loss
// after is loss(w) − ⟨∇, δ⟩ + ½·L·‖δ‖² at most, and for a network whose gradient has become small
// the last term is what remains. If a share r of the channels goes, ‖δ‖² is about r·‖w‖²·q, q ≤ 1
// saying how well the unimportant ones were found. So the harm is c·r, growing with the pruned
// share, c = ½·L·q·‖w‖². c is read from observed prunings: the harm per share that nearly all of
// them exceeded. A robust estimate that expects less harm than that, at whatever share, has no
// ground to stand on.
#pragma once

#include <span>
#include <vector>

#include "estimation/estimators.h"
#include "estimation/trace_stories.h"

namespace espalier {

struct EnvelopeOptions {
  // A loss that no training gets below, if one is known.
  double floor = 0;
  // γ/S: at least 1. Larger if nodes average less than once per epoch, where the problem is known
  // to be badly conditioned, or by the epochs that a falling rate has been falling.
  double head_start = 1;
};

// The lowest loss that theory promises after so many further epochs under the same conditions.
double promised_loss(const History& history, int epochs_ahead, const EnvelopeOptions& options = {});

// The harm of a pruning: how much the loss rises per share of the remaining channels that goes.
struct PruningHarm {
  double per_share = 0;  // ≥ 0
};

// What all prunings but this share of them exceeded. None, no harm.
PruningHarm least_harm(std::span<const ChangeExample> seen, double but = 0.05);

// The lowest loss that can robustly be expected right after the change.
double promised_loss(const Pruning& change, const PruningHarm& harm);

}  // namespace espalier
