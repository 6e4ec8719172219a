// SPDX-License-Identifier: Apache-2.0
// Runs whose nodes come from elsewhere: each is a process that a test starts, and does harm to.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "certificates/certificate_folder.h"
#include "run_site.h"

namespace espalier {

class OtherNodesSite : public RunSite {
 protected:
  OtherNodesSite()
      : certificates_(CertificateFolder::create(folder / "certificates", for_this_day())) {}

  static Validity for_this_day() {
    return valid_for(std::chrono::days(1), std::chrono::system_clock::now());
  }

  // Starts a run in the folder "here", or goes on with it, and waits until it listens.
  void begin(const std::vector<std::string>& more = {},
             const std::vector<std::string>& environment = {}) {
    std::vector<std::string> words{"run",  "fakes.yaml",     "-y",          "--output",
                                   "here", "--listen",       "127.0.0.1:0", "--give-up",
                                   "5 s",  "--certificates", "certificates"};
    if (std::ranges::find(more, "--patience") == more.end())
      words.insert(words.end(), {"--patience", "2 s"});
    words.insert(words.end(), more.begin(), more.end());
    listen(words, environment);
  }
  void resume() { listen({"resume", "here"}); }
  void begin_with_all(const std::vector<std::string>& more = {},
                      const std::vector<std::string>& environment = {}) {
    begin(more);
    for (const char* name : {"gold-1", "gold-2", "silver-1", "silver-2"}) come(name, environment);
  }

  // A node, in a new process; one of the same name is killed first.
  Started& come(const std::string& name, const std::vector<std::string>& environment = {}) {
    return come_to(address_, name, environment);
  }
  Started& come_to(const std::string& address, const std::string& name,
                   const std::vector<std::string>& environment = {}) {
    const auto files = certificates_.node_files(name);
    if (!std::filesystem::exists(files)) certificates_.issue(name, for_this_day());
    const auto work = folder / "nodes" / (name + "-" + std::to_string(++processes_));
    std::filesystem::create_directories(work);
    const std::vector<std::string> words{PRETENDING_NODE,  "node",
                                         "--orchestrator", address,
                                         "--nodes",        name.substr(0, name.find('-')),
                                         "--scenario",     (folder / "fakes.yaml").string(),
                                         "--certificates", files.string(),
                                         "--work",         work.string(),
                                         "--parent",       std::to_string(::getpid())};
    auto& here = nodes_[name];
    here = std::make_unique<Started>(words, environment, work);
    said_in_[name] = work / ".err";
    return *here;
  }
  Started& node(const std::string& name) { return *nodes_.at(name); }
  std::string said_by(const std::string& name) const { return folder.read(said_in_.at(name)); }
  void all_go() { nodes_.clear(); }
  // So that another of that name does not end it.
  std::unique_ptr<Started> release(const std::string& name) { return std::move(nodes_.at(name)); }

  Started& orchestrator() { return *orchestrator_; }
  const std::string& address() const { return address_; }
  // How the run ended.
  int end() { return orchestrator_->wait(); }

  std::string events() const { return folder.read("here/events.jsonl"); }
  std::size_t epochs_done() const {
    const std::string text = folder.read("here/metrics.csv");
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return lines == 0 ? 0 : lines - 1;
  }
  // Whether it comes to that while the run goes on.
  template <class Claim>
  bool comes_to(const Claim& claim) {
    comes_true([&] { return claim() || orchestrator_->is_over(); });
    return claim();
  }
  bool is_told(const std::string& event, const std::string& node) const {
    const std::string all = events();
    std::istringstream lines(all);
    for (std::string line; std::getline(lines, line);)
      if (contains(line, '"' + event + '"') && contains(line, '"' + node + '"')) return true;
    return false;
  }
  // What `status` says of it, without disturbing what the run says.
  nlohmann::json status() const {
    std::filesystem::create_directories(folder / "aside");
    Started asked({ESPALIER_PROGRAM, "status", (folder / "here").string(), "--format", "json"}, {},
                  folder / "aside");
    EXPECT_EQ(asked.wait(), 0);
    return nlohmann::json::parse(folder.read("aside/.out"))["data"];
  }
  int samples_of(const std::string& name) const {
    const nlohmann::json nodes = status()["nodes"];
    for (const auto& one : nodes)
      if (one["node"] == name) return one["samples"];
    return 0;
  }
  // What metrics.csv says of that epoch.
  double figure(std::size_t epoch, const std::string& column) const {
    std::istringstream lines(folder.read("here/metrics.csv"));
    std::string names;
    std::string line;
    std::getline(lines, names);
    for (std::size_t i = 0; i < epoch; ++i) std::getline(lines, line);
    const auto column_at = (',' + names + ',').find(',' + column + ',');
    const auto place = std::count(names.begin(), names.begin() + static_cast<long>(column_at), ',');
    std::size_t at = 0;
    for (long i = 0; i < place; ++i) at = line.find(',', at) + 1;
    return std::stod(line.substr(at));
  }
  // Whose updates counted in that epoch.
  int members_of(std::size_t epoch) const { return static_cast<int>(figure(epoch, "members")); }

  CertificateFolder certificates_;

 private:
  void listen(const std::vector<std::string>& words,
              const std::vector<std::string>& environment = {}) {
    folder.remove(".out");  // of an earlier one, which listened elsewhere
    orchestrator_ = start(words, environment);
    address_.clear();
    const std::string before = "listening on ";
    ASSERT_TRUE(comes_true([&] {
      const std::string text = out();
      const auto at = text.find(before);
      const auto end = at == std::string::npos ? at : text.find(';', at);
      if (end != std::string::npos)
        address_ = text.substr(at + before.size(), end - at - before.size());
      return !address_.empty() || orchestrator_->is_over();
    }));
    ASSERT_FALSE(address_.empty()) << out() << err();
  }

  std::unique_ptr<Started> orchestrator_;
  std::string address_;
  std::map<std::string, std::unique_ptr<Started>> nodes_;
  std::map<std::string, std::filesystem::path> said_in_;
  int processes_ = 0;
};

}  // namespace espalier
