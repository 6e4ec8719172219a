// SPDX-License-Identifier: Apache-2.0
// Messages as version 2 writes them, to the byte. They must be understood for as long as the
// version is 2: where one of these tests fails, nodes in the field are cut off.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "support/messages.h"

namespace espalier {
namespace {

struct OldSample {
  const char* kind;
  const char* hexadecimal;
};

constexpr std::array kVersion2{
    OldSample{"hello",
              "0802120b676f6c642d312e343731311a04676f6c6420f02e280a320e657370616c6965722030"
              "2e312e303801401c481c"},
    OldSample{"welcome", "0a0572756e2d311204676f6c6418dc0b"},
    OldSample{"pulse", "0a0b676f6c642d312e34373131120d0a0572756e2d31100718012002"},
    OldSample{"pulse",
              "0a0b676f6c642d312e34373131120d0a0572756e2d3110071801200219000000000000d03f"},
    OldSample{"nod", "0801"},
    OldSample{"pull", "0a0b676f6c642d312e3437313110a8c301"},
    OldSample{"pulled",
              "0a83010a0d0a0572756e2d3110071801200212270a2000112233445566778899aabbccddeeff"
              "00112233445566778899aabbccddeeff10c0a6d2111a230820119a9999999999a93f19cdcccc"
              "ccccccec3f21fca9f1d24d62403f28023002382a321f0a05766767313111000000000000d03f"
              "19000000000000e03f2003280830023880e89226"},
    OldSample{"result",
              "0a0b676f6c642d312e34373131120d0a0572756e2d3110071801200218012a270a2000112233"
              "445566778899aabbccddeeff00112233445566778899aabbccddeeff10c0a6d2113100000000"
              "0000e83f38f02e4100000000000029404a2109000000000014744010011a145241504c207061"
              "636b6167652d302c206472616d"},
    OldSample{"receipt", "0803"},
    OldSample{"request",
              "0a3a0a0b676f6c642d312e3437313112270a2000112233445566778899aabbccddeeff001122"
              "33445566778899aabbccddeeff10c0a6d21118808040"},
    OldSample{"offer",
              "12360a0b676f6c642d312e3437313112270a2000112233445566778899aabbccddeeff001122"
              "33445566778899aabbccddeeff10c0a6d2111a06676f6c642d31"},
    OldSample{"progress", "1206088080401001"},
    OldSample{"answer", "1a120801120e746f6f206d616e79206e6f646573"},
    OldSample{"pulled",
              "0a6f0a0d0a0572756e2d3110071801200212270a2000112233445566778899aabbccddeeff00"
              "112233445566778899aabbccddeeff10c0a6d2111a230820119a9999999999a93f19cdcccccc"
              "ccccec3f21fca9f1d24d62403f28023002382a220b080311000000000000e03f3880e89226"},
};

std::string bytes_of_sample(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16));
  return bytes;
}

TEST(OldMessages, AreUnderstoodAndMeanTheSame) {
  for (const OldSample& old : kVersion2) {
    const std::string bytes = bytes_of_sample(old.hexadecimal);
    for (const MessageKind& kind : message_kinds()) {
      if (kind.name != old.kind) continue;
      EXPECT_EQ(kind.again(bytes), bytes) << old.kind;
    }
  }
}

TEST(OldMessages, EveryKindHasOne) {
  for (const MessageKind& kind : message_kinds()) {
    EXPECT_TRUE(std::any_of(kVersion2.begin(), kVersion2.end(), [&](const OldSample& old) {
      return old.kind == kind.name && bytes_of_sample(old.hexadecimal) == kind.sample;
    })) << kind.name;
  }
}

TEST(OldMessages, FieldsOfLaterVersionsAreSkipped) {
  const std::string unknown = "\xfa\x7f\x03new";  // field 2047
  for (const MessageKind& kind : message_kinds())
    EXPECT_EQ(kind.again(kind.sample + unknown), kind.sample) << kind.name;
}

}  // namespace
}  // namespace espalier
