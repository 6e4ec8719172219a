// SPDX-License-Identifier: Apache-2.0
#include "onlooker/folder_shelf.h"

#include <algorithm>
#include <fstream>

#include "core/error.h"
#include "onlooker/run_reader.h"
#include "orchestrator/event_json.h"
#include "wire/names.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// Reads events.jsonl as it grows. A line counts when it is whole; a file that is another one than
// before (a run was resumed) begins with the same events, so that reading on is right there, too.
class FolderFeed final : public RunFeed {
 public:
  FolderFeed(RunDirectory directory, ReadableRun run, const std::string& name)
      : directory_(std::move(directory)),
        run_(std::move(run)),
        name_(name),
        reader_(std::make_unique<RunReader>(run_.setup)) {}

  RunHead head() override { return head_of(run_.setup, name_, run_.strategy); }

  std::vector<RunNews> after(std::int64_t id) override {
    std::ifstream file(directory_.events(), std::ios::binary);
    file.seekg(offset_);
    std::vector<RunNews> news;
    for (std::string line; std::getline(file, line) && !file.eof();) {
      offset_ += static_cast<std::streamoff>(line.size()) + 1;
      for (RunNews& one : reader_->read(parse_event(line, directory_.events().string()))) {
        if (one.id > id) news.push_back(std::move(one));
      }
    }
    return news;
  }

  bool is_carried_on() override { return holder_of(directory_).has_value(); }

 private:
  const RunDirectory directory_;
  const ReadableRun run_;
  const std::string name_;
  std::unique_ptr<RunReader> reader_;
  std::streamoff offset_ = 0;
};

}  // namespace

FolderShelf::FolderShelf(fs::path root, LoadReadableRun load)
    : root_(std::move(root)), load_(std::move(load)) {}

std::vector<std::string> FolderShelf::names() {
  struct Found {
    fs::file_time_type when;
    std::string name;
  };
  std::vector<Found> found;
  std::error_code fault;
  for (fs::directory_iterator at(root_, fault), end; !fault && at != end; at.increment(fault)) {
    const std::string name = at->path().filename().string();
    if (!is_wire_name(name) || !RunDirectory(at->path()).holds_run()) continue;
    std::error_code unknown;
    found.push_back({fs::last_write_time(at->path() / "run.json", unknown), name});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return a.when != b.when ? a.when > b.when : a.name < b.name;
  });
  std::vector<std::string> all;
  for (Found& one : found) all.push_back(std::move(one.name));
  return all;
}

std::unique_ptr<RunFeed> FolderShelf::open(const std::string& name) {
  // Only names without a slash, and none that leads upwards.
  if (!is_wire_name(name) || name.starts_with('.')) return nullptr;
  RunDirectory directory(root_ / name);
  if (!directory.holds_run()) return nullptr;
  directory.refuse_links();
  ReadableRun run = load_(directory);
  return std::make_unique<FolderFeed>(std::move(directory), std::move(run), name);
}

}  // namespace espalier
