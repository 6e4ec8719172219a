// SPDX-License-Identifier: Apache-2.0
#include "render/exhibit.h"

#include <fmt/format.h>

namespace espalier {

Claim unsaid(Claim claim, const std::string& why) {
  claim.verdict = ClaimVerdict::Unsaid;
  claim.found = why;
  claim.margin = kNoMargin;
  return claim;
}

ClaimCount count_claims(const std::vector<Claim>& claims) {
  ClaimCount count;
  for (const Claim& claim : claims) {
    count.holds += claim.holds() ? 1 : 0;
    count.said += claim.is_said() ? 1 : 0;
    count.unsaid += claim.is_said() ? 0 : 1;
  }
  return count;
}

std::string count_text(const ClaimCount& count) {
  std::string text = fmt::format("{} of {} hold", count.holds, count.said);
  if (count.unsaid > 0) text += fmt::format(", {} cannot be said", count.unsaid);
  return text;
}

}  // namespace espalier
