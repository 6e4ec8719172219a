// SPDX-License-Identifier: Apache-2.0
#include "energy/sensor_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "files/readable_file.h"

namespace espalier {
namespace {

constexpr std::size_t kMostShown = 40;

SensorFault system_fault(const std::filesystem::path& path, int error) {
  if (error == ENOENT || error == ENOTDIR) {
    return {SensorTrouble::Missing, path.string() + ": no such file"};
  }
  const bool is_denied = error == EACCES || error == EPERM;
  return {is_denied ? SensorTrouble::Denied : SensorTrouble::Unreadable,
          path.string() + ": not readable: " + std::generic_category().message(error)};
}

std::string trimmed(std::string text) {
  const std::size_t end = text.find_last_not_of(std::string_view(" \t\r\n\0", 5));
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

std::string shown(std::string text) {
  if (text.size() > kMostShown) text = text.substr(0, kMostShown) + "...";
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

Sensed<std::string> read_beginning(const std::filesystem::path& path, int descriptor,
                                   std::size_t most) {
  std::string text;
  std::array<char, 4096> part{};
  while (text.size() < most) {
    const ssize_t count =
        ::read(descriptor, part.data(), std::min(part.size(), most - text.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_fault(path, errno);
    if (count == 0) break;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return trimmed(std::move(text));
}

template <class Number>
Sensed<Number> read_number(const std::filesystem::path& path) {
  const auto text = read_sensor_text(path);
  if (const auto* fault = std::get_if<SensorFault>(&text)) return *fault;
  const auto& digits = std::get<std::string>(text);
  Number number = 0;
  const char* const end = digits.data() + digits.size();
  const auto result = std::from_chars(digits.data(), end, number);
  if (result.ec == std::errc{} && result.ptr == end) return number;
  return SensorFault{SensorTrouble::Garbage,
                     path.string() + ": holds '" + shown(digits) + "', which is no such number"};
}

}  // namespace

Sensed<std::string> read_sensor_text(const std::filesystem::path& path, std::size_t most) {
  const ReadableFile sensor(path);
  if (sensor.descriptor() < 0) return system_fault(path, errno);
  struct stat status {};
  if (::fstat(sensor.descriptor(), &status) != 0) return system_fault(path, errno);
  if (!S_ISREG(status.st_mode)) {
    return SensorFault{SensorTrouble::Unreadable, path.string() + ": not a regular file"};
  }
  return read_beginning(path, sensor.descriptor(), most);
}

std::string sensor_text_or_empty(const std::filesystem::path& path, std::size_t most) {
  auto text = read_sensor_text(path, most);
  auto* value = std::get_if<std::string>(&text);
  return value == nullptr ? "" : std::move(*value);
}

Sensed<uint64_t> read_sensor_count(const std::filesystem::path& path) {
  return read_number<uint64_t>(path);
}

Sensed<int64_t> read_sensor_level(const std::filesystem::path& path) {
  return read_number<int64_t>(path);
}

}  // namespace espalier
