// SPDX-License-Identifier: Apache-2.0
// A folder of files that a test makes up, gone after the test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace espalier::testing {

class FakeFolder {
 public:
  FakeFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "espalier-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~FakeFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  FakeFolder(const FakeFolder&) = delete;
  FakeFolder& operator=(const FakeFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

  // Makes the folders above it, too.
  void write(const std::filesystem::path& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  void remove(const std::filesystem::path& name) const {
    std::filesystem::remove_all(path_ / name);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace espalier::testing
