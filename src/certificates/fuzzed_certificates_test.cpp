// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "certificates/fuzzed_keys.h"
#include "certificates/name_list.h"

namespace espalier {
namespace {

using support::Decoder;

constexpr WallTime kThen{};

Decoder name_lists() {
  const std::string sample = line_of({"gold-1", std::string(64, 'a'), kThen}) + "# a\n\ngold-2\n";
  return {"list of names", {sample}, [](std::string_view bytes) {
            const NameList list = parse_names(bytes);
            if (!list.is_sound) throw Error(ErrorCode::BadInput, "a line cannot be read");
            std::string again;
            for (const ListedName& name : list.names) again += line_of(name);
            return again;
          }};
}

TEST(FuzzedCertificates, AreRefusedOrUnderstoodByEveryReader) {
  const Validity validity = valid_for(std::chrono::days(1), kThen);
  const KeyAndCertificate authority = make_authority("a", validity);
  const KeyAndCertificate node = make_signed("n", CertificateUse::Node, validity, authority);
  const std::vector<Decoder> decoders{
      name_lists(),
      {"certificate",
       {node.certificate, authority.certificate},
       [&](std::string_view bytes) {
         EXPECT_LT(facts_of(std::string(bytes)).name.size(), bytes.size());
         is_signed_by(std::string(bytes), authority.certificate);
         return std::string();
       }},
      {"authority",
       {authority.certificate},
       [&](std::string_view bytes) {
         is_signed_by(node.certificate, std::string(bytes));
         return std::string();
       }},
  };
  support::expect_sound(decoders, support::kAllBytes);
  support::expect_sound({fuzzed_keys()}, support::kSomeBytes);
}

}  // namespace
}  // namespace espalier
