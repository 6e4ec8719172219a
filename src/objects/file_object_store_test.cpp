// SPDX-License-Identifier: Apache-2.0
#include "objects/file_object_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/temporary_folder.h"
#include "wire/digest.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

template <class Act>
void expect_refused(Act&& act, ErrorCode code = ErrorCode::NotAllowed) {
  try {
    act();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

class FileObjectStoreTest : public testing::Test {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_ / "objects"), fs::directory_iterator()));
  }

  const TemporaryFolder folder_;
  FileObjectStore store_{folder_ / "objects"};
  const std::string bytes_ = "the bytes of a small network";
  const ObjectRef object_ = object_of(bytes_);
};

TEST_F(FileObjectStoreTest, KeepsWhatItIsGiven) {
  EXPECT_EQ(store_.add(bytes_), object_);
  EXPECT_TRUE(store_.has(object_));
  EXPECT_EQ(store_.read(object_, 4, 5), "bytes");
  EXPECT_EQ(store_.read(object_, bytes_.size(), 5), "");
  EXPECT_EQ(store_.received(object_), bytes_.size());
  EXPECT_EQ(store_.add(bytes_), object_);
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileObjectStoreTest, ReadsToWhereOneWants) {
  store_.add(bytes_);
  std::string five(5, ' ');
  EXPECT_EQ(store_.read(object_, 4, std::span<char>(five)), 5U);
  EXPECT_EQ(five, "bytes");
  EXPECT_EQ(store_.read(object_, bytes_.size() - 2, std::span<char>(five)), 2U);
}

TEST_F(FileObjectStoreTest, TakesLargeObjects) {
  const std::string large(20'000'000, 'x');
  const ObjectRef object = object_of(large);
  for (std::uint64_t at = 0; at < large.size();)
    at = store_.append(object, at, std::string_view(large).substr(at, 1 << 20));
  EXPECT_TRUE(store_.has(object));
}

TEST_F(FileObjectStoreTest, TakesPiecesInOrderAlone) {
  EXPECT_EQ(store_.received(object_), 0U);
  EXPECT_EQ(store_.append(object_, 0, bytes_.substr(0, 10)), 10U);
  EXPECT_EQ(store_.append(object_, 0, bytes_.substr(0, 10)), 10U);
  EXPECT_EQ(store_.append(object_, 12, bytes_.substr(12)), 10U);
  EXPECT_FALSE(store_.has(object_));
  EXPECT_EQ(store_.append(object_, 10, bytes_.substr(10)), bytes_.size());
  EXPECT_TRUE(store_.has(object_));
  EXPECT_EQ(store_.read(object_, 0, 100), bytes_);
}

TEST_F(FileObjectStoreTest, GoesOnAfterARestart) {
  store_.append(object_, 0, bytes_.substr(0, 10));
  FileObjectStore again(folder_ / "objects");
  EXPECT_EQ(again.received(object_), 10U);
  EXPECT_EQ(again.append(object_, 10, bytes_.substr(10)), bytes_.size());
  EXPECT_EQ(again.read(object_, 0, 100), bytes_);
  EXPECT_EQ(files(), 1U);
}

TEST_F(FileObjectStoreTest, FinishesWhatWasCompleteButHadNoNameYet) {
  folder_.write("objects/" + object_.sha256 + "-" + std::to_string(bytes_.size()) + ".part",
                bytes_);
  EXPECT_FALSE(store_.has(object_));
  EXPECT_EQ(store_.received(object_), bytes_.size());
  EXPECT_TRUE(store_.has(object_));
}

TEST_F(FileObjectStoreTest, LeavesNothingOfAnObjectWithAWrongDigest) {
  std::string wrong = bytes_;
  wrong.back() = '!';
  store_.append(object_, 0, wrong.substr(0, 10));
  expect_refused([&] { store_.append(object_, 10, wrong.substr(10)); });
  EXPECT_FALSE(store_.has(object_));
  EXPECT_EQ(files(), 0U);
  EXPECT_EQ(store_.append(object_, 0, bytes_), bytes_.size());
}

TEST_F(FileObjectStoreTest, RefusesMoreThanWasAnnounced) {
  expect_refused([&] { store_.append(object_, 0, bytes_ + "!"); });
  EXPECT_FALSE(store_.has(object_));
}

TEST_F(FileObjectStoreTest, RefusesObjectsBeyondTheLimit) {
  FileObjectStore small(folder_ / "small", {.largest = 5});
  expect_refused([&] { small.append(object_, 0, bytes_); });
  expect_refused([&] { small.received(object_); });
}

TEST_F(FileObjectStoreTest, RefusesNamesThatAreNoDigests) {
  for (const std::string& name : {std::string("../../x"), std::string(""), std::string(64, '/')}) {
    expect_refused([&] { store_.append({name, 1}, 0, "x"); });
    expect_refused([&] { store_.read({name, 1}, 0, 1); });
    expect_refused([&] { store_.drop({name, 1}); });
    EXPECT_FALSE(store_.has({name, 1}));
  }
}

TEST_F(FileObjectStoreTest, FollowsNoLinks) {
  const fs::path secret = folder_.write("secret", bytes_);
  fs::create_symlink(secret, folder_ / ("objects/" + object_.sha256));
  EXPECT_FALSE(store_.has(object_));
  expect_refused([&] { store_.read(object_, 0, 5); });
  const ObjectRef other = object_of("other bytes");
  fs::create_symlink(secret, folder_ / ("objects/" + other.sha256 + "-11.part"));
  expect_refused([&] { store_.append(other, 0, "other bytes"); }, ErrorCode::RunFailed);
  EXPECT_EQ(folder_.read("secret"), bytes_);
}

TEST_F(FileObjectStoreTest, WritesToNoFileOfTwoNames) {
  const fs::path secret = folder_.write("secret", "");
  const ObjectRef other = object_of("other bytes");
  fs::create_hard_link(secret, folder_ / ("objects/" + other.sha256 + "-11.part"));
  expect_refused([&] { store_.append(other, 0, "other bytes"); }, ErrorCode::RunFailed);
  EXPECT_EQ(folder_.read("secret"), "");
}

TEST_F(FileObjectStoreTest, TheSizeIsPartOfTheName) {
  store_.append({object_.sha256, 3}, 0, "xy");
  store_.append(object_, 0, bytes_);
  EXPECT_TRUE(store_.has(object_));
  EXPECT_FALSE(store_.has({object_.sha256, 3}));
}

TEST_F(FileObjectStoreTest, DropsWhatNobodyNeeds) {
  store_.add(bytes_);
  store_.drop(object_);
  EXPECT_FALSE(store_.has(object_));
  store_.append(object_, 0, "the");
  store_.drop(object_);
  EXPECT_EQ(store_.received(object_), 0U);
  store_.drop(object_);
  EXPECT_EQ(files(), 0U);
}

TEST_F(FileObjectStoreTest, KeepsOneAloneWhenAsked) {
  store_.add(bytes_);
  store_.add("another one");
  const ObjectRef half = object_of("a third one");
  store_.append(half, 0, "a th");
  store_.keep_only(object_);
  EXPECT_TRUE(store_.has(object_));
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(store_.append(half, 0, "a third one"), half.size) << "it can come again";
}

TEST_F(FileObjectStoreTest, HoldsFewHalfObjectsOpen) {
  FileObjectStore few(folder_ / "few", {.most_open = 2});
  for (const char c : {'a', 'b', 'c', 'd', 'e', 'f'}) few.append({std::string(64, c), 2}, 0, "x");
  EXPECT_EQ(few.received({std::string(64, 'a'), 2}), 1U);
}

}  // namespace
}  // namespace espalier
