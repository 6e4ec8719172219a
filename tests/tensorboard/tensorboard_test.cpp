// SPDX-License-Identifier: Apache-2.0
// Reads as TensorBoard does: records with both checksums, then Event messages. Shares no code with
// what writes them.
#include "render/tensorboard.h"

#include <cstring>
#include <map>

#include <event.pb.h>
#include <gtest/gtest.h>

namespace espalier {
namespace {

using tensorboard_reader::Event;

template <class Number>
Number number_at(const std::string& bytes, std::size_t at) {
  Number value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);  // little-endian, as this machine
  return value;
}

// Bit by bit.
std::uint32_t slow_masked_crc(const std::string& bytes) {
  std::uint32_t crc = ~0U;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ (0x82f63b78U & (0U - (crc & 1U)));
  }
  crc = ~crc;
  return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
}

// Empty, and a failure, where a record is not sound.
std::vector<Event> events_in(const std::string& file) {
  std::vector<Event> events;
  for (std::size_t at = 0; at < file.size();) {
    if (file.size() - at < 16) {
      ADD_FAILURE() << "cut off";
      return {};
    }
    const auto length = number_at<std::uint64_t>(file, at);
    EXPECT_EQ(number_at<std::uint32_t>(file, at + 8), slow_masked_crc(file.substr(at, 8)));
    if (length > file.size() - at - 16) {
      ADD_FAILURE() << "a length of " << length;
      return {};
    }
    const std::string bytes = file.substr(at + 12, length);
    EXPECT_EQ(number_at<std::uint32_t>(file, at + 12 + length), slow_masked_crc(bytes));
    Event event;
    EXPECT_TRUE(event.ParseFromString(bytes));
    EXPECT_TRUE(event.GetReflection()->GetUnknownFields(event).empty());
    events.push_back(std::move(event));
    at += 16 + length;
  }
  return events;
}

EpochNews epoch_of(int number, const std::string& model, double loss) {
  return {.epoch = number,
          .place = {model, "gold", "", ""},
          .loss = Loss{loss},
          .time = Seconds{2.0 * number},
          .energy = Joules{10.0 * number},
          .planned_loss = Loss{loss + 0.25},
          .planned_energy = Joules{11.0 * number}};
}

WatchedStory small_story() {
  WatchedStory story = first_story({});
  tell(story,
       {1, Seconds{0},
        PlanNews{.changed = true, .sentence = "the plan: 300 of L", .chance = Chance{0.875}}});
  for (int i = 1; i <= 300; ++i)
    tell(story, {i + 1, Seconds{2.0 * i}, epoch_of(i, i < 200 ? "L" : "M", 1.0 / i)});
  return story;
}

// tag → step → value.
using Curves = std::map<std::string, std::map<std::int64_t, float>>;

Curves curves_in(const std::vector<Event>& events) {
  Curves curves;
  for (const Event& event : events) {
    for (const auto& value : event.summary().value())
      if (!value.has_metadata()) curves[value.tag()][event.step()] = value.simple_value();
  }
  return curves;
}

TEST(TensorBoard, FilesBeginWithTheirVersion) {
  const auto events = events_in(tensorboard_events(first_story({}), 1.5e9));
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events.front().file_version(), "brain.Event:2");
  EXPECT_EQ(events.front().wall_time(), 1.5e9);
}

TEST(TensorBoard, HasEveryCurveByEpoch) {
  const auto events = events_in(tensorboard_events(small_story(), 1.5e9));
  Curves curves = curves_in(events);
  for (const char* tag : {"loss/observed", "loss/planned", "energy/spent (modelled)",
                          "energy/planned (modelled)", "time/spent", "placement"})
    EXPECT_EQ(curves[tag].size(), 300U) << tag;
  EXPECT_FLOAT_EQ(curves["loss/observed"][4], 0.25F);
  EXPECT_FLOAT_EQ(curves["loss/planned"][4], 0.5F);
  EXPECT_FLOAT_EQ(curves["energy/spent (modelled)"][300], 3000);
  EXPECT_FLOAT_EQ(curves["energy/planned (modelled)"][300], 3300);
  EXPECT_FLOAT_EQ(curves["time/spent"][300], 600);
  EXPECT_EQ(curves["placement"][199], 0);
  EXPECT_EQ(curves["placement"][200], 1);
  EXPECT_FLOAT_EQ(curves["chance/of the goal"][0], 0.875F);
  for (const Event& event : events)
    EXPECT_EQ(event.wall_time(), 1.5e9 + 2.0 * static_cast<double>(event.step()));
}

TEST(TensorBoard, TellsPlansAndPlacementsAsTexts) {
  std::map<std::string, std::string> texts;
  for (const Event& event : events_in(tensorboard_events(small_story(), 1.5e9))) {
    for (const auto& value : event.summary().value()) {
      if (!value.has_metadata()) continue;
      EXPECT_EQ(value.metadata().plugin_data().plugin_name(), "text");
      constexpr int kString = 7;
      EXPECT_EQ(value.tensor().dtype(), kString);
      ASSERT_EQ(value.tensor().tensor_shape().dim_size(), 1);
      EXPECT_EQ(value.tensor().tensor_shape().dim(0).size(), 1);
      ASSERT_EQ(value.tensor().string_val_size(), 1);
      texts[value.tag()] = value.tensor().string_val(0);
    }
  }
  EXPECT_EQ(texts["plans/text_summary"], "the plan: 300 of L");
  EXPECT_NE(texts["placements/text_summary"].find("| 1 | M on gold |"), std::string::npos);
}

}  // namespace
}  // namespace espalier
