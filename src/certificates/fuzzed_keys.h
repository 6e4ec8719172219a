// SPDX-License-Identifier: Apache-2.0
// For tests. Most of what is a key at all takes long to be found sound.
#pragma once

#include "certificates/x509.h"
#include "support/fuzzing/fuzzed_bytes.h"

namespace espalier {

inline support::Decoder fuzzed_keys() {
  const KeyAndCertificate sound = make_authority("a", valid_for(std::chrono::days(1), {}));
  return {"key", {sound.key}, [sound](std::string_view bytes) {
            belong_together(std::string(bytes), sound.certificate);
            return std::string();
          }};
}

}  // namespace espalier
