// SPDX-License-Identifier: Apache-2.0
// A program and all that it starts: what it prints, and the processor time of all of them.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace espalier::bench {

// Processor time of this process's descendants so far, those that have ended not counted. Linux
// only.
inline double descendants_cpu_seconds() {
  struct One {
    pid_t parent = 0;
    double seconds = 0;
  };
  std::map<pid_t, One> all;
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const auto end_of_name = text.rfind(')');
    if (end_of_name == std::string::npos) continue;
    std::istringstream fields(text.substr(end_of_name + 1));
    std::string skipped;
    One one;
    fields >> skipped >> one.parent;
    for (int i = 5; i <= 13; ++i) fields >> skipped;
    double user = 0;
    double system = 0;
    fields >> user >> system;
    one.seconds = (user + system) / ticks;
    all[std::stoi(name)] = one;
  }
  std::set<pid_t> family{::getpid()};
  double sum = 0;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [id, one] : all) {
      if (!family.contains(one.parent) || !family.insert(id).second) continue;
      sum += one.seconds;
      grows = true;
    }
  }
  return sum;
}

// What a command prints, line by line as it comes.
class Lines {
 public:
  explicit Lines(const std::string& command) : pipe_(::popen(command.c_str(), "r")) {}
  ~Lines() { close(); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  bool next(std::string& line) {
    line.clear();
    for (int c = 0; pipe_ != nullptr && (c = std::fgetc(pipe_)) != EOF;) {
      if (c == '\n') return true;
      line += static_cast<char>(c);
    }
    return !line.empty();
  }
  int close() {
    const int status = pipe_ == nullptr ? -1 : ::pclose(pipe_);
    pipe_ = nullptr;
    return status;
  }

 private:
  std::FILE* pipe_;
};

}  // namespace espalier::bench
