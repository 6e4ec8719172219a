// SPDX-License-Identifier: Apache-2.0
// The messages are tensorflow.Event, Summary, SummaryMetadata and TensorProto; few of their fields
// are needed, so that they are written by hand here. tensorboard_test.cpp reads them with the
// numbers of TensorFlow's own .proto files.
#include "render/tensorboard.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "io/record_frame.h"

namespace espalier {
namespace {

enum class WireType : unsigned { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

// One protobuf message, field by field.
class EventMessage {
 public:
  EventMessage& number(unsigned field, std::uint64_t value) {
    key(field, WireType::Varint);
    varint(value);
    return *this;
  }
  EventMessage& real(unsigned field, double value) {
    key(field, WireType::Fixed64);
    fixed(std::bit_cast<std::uint64_t>(value), 8);
    return *this;
  }
  EventMessage& single(unsigned field, float value) {
    key(field, WireType::Fixed32);
    fixed(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  EventMessage& bytes(unsigned field, std::string_view value) {
    key(field, WireType::Bytes);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  EventMessage& message(unsigned field, const EventMessage& value) {
    return bytes(field, value.bytes_);
  }
  const std::string& written() const { return bytes_; }

 private:
  void key(unsigned field, WireType type) { varint((field << 3U) | static_cast<unsigned>(type)); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7fU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }
  void fixed(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) bytes_ += static_cast<char>((value >> (8 * i)) & 0xffU);
  }

  std::string bytes_;
};

EventMessage scalar_value(std::string_view tag, double value) {
  return EventMessage{}.bytes(1, tag).single(2, static_cast<float>(value));
}

// A tensor with one string, for the plugin that shows texts as Markdown.
EventMessage text_value(std::string_view tag, std::string_view text) {
  constexpr std::uint64_t kString = 7;  // DT_STRING
  const EventMessage shape = EventMessage{}.message(2, EventMessage{}.number(1, 1));
  const EventMessage tensor = EventMessage{}.number(1, kString).message(2, shape).bytes(8, text);
  const EventMessage metadata = EventMessage{}.message(1, EventMessage{}.bytes(1, "text"));
  return EventMessage{}.bytes(1, tag).message(8, tensor).message(9, metadata);
}

// Owned by one thread.
class EventFile {
 public:
  explicit EventFile(double began) : began_(began) {
    bytes_ = framed_record(EventMessage{}.real(1, began).bytes(3, "brain.Event:2").written());
  }

  // All at one moment, `at` after the beginning.
  void add(int step, Seconds at, const std::vector<EventMessage>& values) {
    EventMessage summary;
    for (const EventMessage& value : values) summary.message(1, value);
    bytes_ += framed_record(EventMessage{}
                                .real(1, began_ + at.value)
                                .number(2, static_cast<std::uint64_t>(step))
                                .message(5, summary)
                                .written());
  }

  std::string take() { return std::move(bytes_); }

 private:
  double began_;
  std::string bytes_;
};

std::string words_of(const PlaceName& place) {
  std::string words = place.model + " on " + place.nodes;
  for (const std::string& extra : {place.data, place.level})
    if (!extra.empty()) words += ", " + extra;
  return words;
}

// The places in the order in which the run came to them.
std::vector<PlaceName> places_in(const std::vector<EpochNews>& epochs) {
  std::vector<PlaceName> places;
  for (const EpochNews& epoch : epochs)
    if (std::ranges::find(places, epoch.place) == places.end()) places.push_back(epoch.place);
  return places;
}

std::string place_table(const std::vector<PlaceName>& places) {
  std::string text = "| placement | stands for |\n|---|---|\n";
  for (std::size_t i = 0; i < places.size(); ++i)
    text += fmt::format("| {} | {} |\n", i, words_of(places[i]));
  return text;
}

// One curve from the first epoch to the last: what may be said of all of it.
std::string energy_tag(const char* tag, const EnergySource& source) {
  return fmt::format("energy/{} ({})", tag, name_of(source.provenance));
}

std::vector<EventMessage> scalars_of(const EpochNews& epoch, std::size_t place,
                                     const EnergySource& source) {
  std::vector<EventMessage> values{scalar_value("loss/observed", epoch.loss.value),
                                   scalar_value(energy_tag("spent", source), epoch.energy.value),
                                   scalar_value("time/spent", epoch.time.value),
                                   scalar_value("placement", static_cast<double>(place))};
  if (epoch.planned_loss) values.push_back(scalar_value("loss/planned", epoch.planned_loss->value));
  if (epoch.planned_energy)
    values.push_back(
        scalar_value(energy_tag("planned", planned_source()), epoch.planned_energy->value));
  return values;
}

void add_plans(EventFile& file, const std::vector<ToldPlan>& plans) {
  for (const ToldPlan& told : plans) {
    std::vector<EventMessage> values{text_value("plans/text_summary", told.plan.sentence)};
    if (told.plan.chance)
      values.push_back(scalar_value("chance/of the goal", told.plan.chance->probability));
    file.add(told.plan.epoch, told.at, values);
  }
}

}  // namespace

std::string tensorboard_events(const WatchedStory& story, double began) {
  EventFile file(began);
  const std::vector<PlaceName> places = places_in(story.epochs);
  const EnergySource source = energy_source(story);
  if (!places.empty())
    file.add(0, Seconds{0},
             {text_value("placements/text_summary", place_table(places)),
              text_value("energy/text_summary",
                         "spent: " + text_of(source) + "; planned: " + text_of(planned_source()))});
  for (const EpochNews& epoch : story.epochs) {
    const auto place = std::ranges::find(places, epoch.place) - places.begin();
    file.add(epoch.epoch, epoch.time, scalars_of(epoch, static_cast<std::size_t>(place), source));
  }
  add_plans(file, story.plans);
  return file.take();
}

}  // namespace espalier
