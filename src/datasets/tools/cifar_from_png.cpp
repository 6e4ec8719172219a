// SPDX-License-Identifier: Apache-2.0
// Turns CIFAR-10 as PNG strips (data_batch_1.png … test_batch.png, train_lables.json,
// test_lables.json, spelt so) into CIFAR binary files. For scripts/get-data.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

#include "core/error.h"
#include "datasets/cifar_strip.h"

namespace {

using namespace espalier;
namespace fs = std::filesystem;

constexpr std::size_t kMostLabelBytes = 1U << 20U;

std::vector<std::uint8_t> read_labels(const fs::path& path) {
  const Bytes bytes = read_file_bytes(path, kMostLabelBytes);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return parse_label_list(text, path.string());
}

void write_file(const fs::path& path, const Bytes& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw Error(ErrorCode::RunFailed, path.string() + ": not written", "is the disk full?");
}

void convert(const fs::path& from, const fs::path& to, const std::string& name,
             std::span<const std::uint8_t> labels) {
  const fs::path strip = from / (name + ".png");
  write_file(to / (name + ".bin"), cifar10_bytes(read_picture(strip), labels, strip.string()));
}

void convert_all(const fs::path& from, const fs::path& to) {
  const auto train = read_labels(from / "train_lables.json");
  const auto test = read_labels(from / "test_lables.json");
  if (train.size() != 5 * test.size()) {
    throw Error(ErrorCode::BadInput, from.string() + ": not five training images per test image");
  }
  for (std::size_t i = 0; i < 5; ++i) {
    const auto labels = std::span(train).subspan(i * test.size(), test.size());
    convert(from, to, "data_batch_" + std::to_string(i + 1), labels);
  }
  convert(from, to, "test_batch", test);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: cifar-from-png FOLDER_WITH_PNGS FOLDER_FOR_BINS\n", stderr);
    return static_cast<int>(ErrorCode::BadInput);
  }
  try {
    convert_all(argv[1], argv[2]);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "cifar-from-png: %s\n%s\n", error.what(), error.hint().c_str());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cifar-from-png: %s\n", error.what());
    return static_cast<int>(ErrorCode::RunFailed);
  }
}
