// SPDX-License-Identifier: Apache-2.0
#include "io/record_frame.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// RFC 3720, B.4, and the usual check value.
TEST(RecordFrame, ChecksumIsThatOfTheRfc) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
}

// Every file of events begins like this: a record of 24 bytes.
TEST(RecordFrame, BeginsAsTensorFlowsFilesDo) {
  const std::string record = framed_record(std::string(24, 'x'));
  EXPECT_EQ(record.substr(0, 12),
            std::string("\x18\x00\x00\x00\x00\x00\x00\x00\xa3\x7f\x4b\x22", 12));
  EXPECT_EQ(record.size(), 24U + 16U);
}

}  // namespace
}  // namespace espalier
