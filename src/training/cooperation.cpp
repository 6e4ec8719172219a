// SPDX-License-Identifier: Apache-2.0
#include "training/cooperation.h"

#include "core/error.h"
#include "training/fedavg.h"

namespace espalier {
namespace {

// All that is at hand while a member trains: no other member, no other samples.
MemberOutcome train_locally(Learner& learner, const Member& member, const Epoch& epoch,
                            int local_epochs) {
  MemberOutcome outcome{member.name, {}, {}};
  for (int i = 0; i < local_epochs && outcome.last.end == EpochEnd::Finished; ++i) {
    outcome.last = learner.train(member.samples, {epoch.number * local_epochs + i, epoch.stop});
    outcome.time += outcome.last.time;
  }
  return outcome;
}

Loss mean_loss(std::span<const MemberOutcome> members) {
  double sum = 0;
  double samples = 0;
  for (const MemberOutcome& member : members) {
    const auto seen = static_cast<double>(member.last.samples);
    sum += member.last.loss.value * seen;
    samples += seen;
  }
  return {samples > 0 ? sum / samples : 0};
}

}  // namespace

CooperationOutcome train_together(const Network& shared, std::span<const Member> members,
                                  const Epoch& epoch, const CooperationOptions& options,
                                  const LearnerFactory& make_learner) {
  if (members.empty() || options.local_epochs < 1) {
    throw Error(ErrorCode::BadInput, "learning together takes a member and a local epoch at least");
  }
  CooperationOutcome outcome{.network = shared};
  std::vector<Contribution> contributions;
  for (const Member& member : members) {
    const std::unique_ptr<Learner> learner = make_learner(shared);
    outcome.members.push_back(train_locally(*learner, member, epoch, options.local_epochs));
    outcome.end = outcome.members.back().last.end;
    if (outcome.end != EpochEnd::Finished) break;
    contributions.push_back({learner->network(), static_cast<double>(member.samples.size())});
  }
  outcome.loss = mean_loss(outcome.members);
  if (outcome.end == EpochEnd::Finished) outcome.network = average(contributions);
  return outcome;
}

}  // namespace espalier
