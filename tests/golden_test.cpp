// SPDX-License-Identifier: Apache-2.0
// Examples print what tests/golden says: the first line of each file is the command, the rest its
// output. After an intended change: ESPALIER_UPDATE_GOLDEN=1 build/dev/tests/integration_test, then
// read the diff.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace espalier {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What `espalier …` prints, run in the root of the repository.
std::string output_of(const std::string& command) {
  const std::string program = "espalier ";
  EXPECT_EQ(command.rfind(program, 0), 0U) << command;
  const std::string call =
      ESPALIER_PROGRAM " " + command.substr(program.size()) + " 2>&1 < /dev/null";
  std::FILE* pipe = popen(call.c_str(), "r");
  std::string out;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe))
    out.append(buffer.data(), count);
  pclose(pipe);
  return out;
}

struct Recorded {
  std::string command;
  std::string output;
};

Recorded split(const std::string& text) {
  const std::size_t end = text.find('\n');
  return {text.substr(2, end - 2), text.substr(end + 1)};
}

std::vector<std::filesystem::path> golden_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden"))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Golden, ExamplesPrintWhatIsRecorded) {
  const bool update = std::getenv("ESPALIER_UPDATE_GOLDEN") != nullptr;
  ASSERT_FALSE(golden_files().empty());
  for (const auto& file : golden_files()) {
    const Recorded recorded = split(read(file));
    const std::string output = output_of(recorded.command);
    if (update) {
      std::ofstream(file) << "$ " << recorded.command << '\n' << output;
    } else {
      EXPECT_EQ(output, recorded.output) << file;
    }
  }
}

TEST(Golden, TheReadmeShowsWhatTheProgramPrints) {
  const std::string readme = read("README.md");
  const std::size_t begin = readme.find("$ espalier plan");
  ASSERT_NE(begin, std::string::npos);
  const Recorded shown = split(readme.substr(begin, readme.find("```", begin) - begin));
  EXPECT_EQ(output_of(shown.command).substr(0, shown.output.size()), shown.output);
}

}  // namespace
}  // namespace espalier
