// SPDX-License-Identifier: Apache-2.0
// Who owns which images, and what everybody may look at.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/scenario.h"
#include "datasets/registry.h"
#include "training/cooperation.h"
#include "training/samples.h"

namespace espalier {

// The images of all node sets of a scenario, in one process. The same scenario gives everybody the
// same images, whatever is trained on them. Immutable.
class OwnedData {
 public:
  // Throws Error{BadInput} where the data set is not there or has not enough images.
  // REQUIRES: the scenario has `training`.
  OwnedData(const Scenario& scenario, const OpenOptions& options);
  OwnedData(const OwnedData&) = delete;
  OwnedData& operator=(const OwnedData&) = delete;

  ImageShape shape() const;
  int64_t classes() const { return static_cast<int64_t>(dataset_.classes.size()); }

  std::span<const Member> members(NodeSetId nodes) const { return parts_[nodes.pos()].members; }
  // Some of each member's images: enough to tell the loss on all of them.
  const Samples& glance(NodeSetId nodes) const { return parts_[nodes.pos()].glance; }
  // Images that nobody trains on.
  const Samples& held_back() const { return held_back_; }

 private:
  struct Part {
    std::vector<Member> members;
    Samples glance;
  };
  std::vector<Part> parts_of(const Scenario& scenario) const;

  const Dataset dataset_;
  const std::vector<Part> parts_;  // by node set
  const Samples held_back_;
};

}  // namespace espalier
