// SPDX-License-Identifier: Apache-2.0
// The journal of a run: its events, one after the other, safe on the disk before anybody acts on
// them.
//
// An SQLite file in WAL mode with full synchronisation. Each row has a number and a checksum that
// covers the rows before it, too; a small file beside it tells how many there have been. So a bit
// that changed and rows that are missing are found, at the end as well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/run_event.h"

namespace espalier {

// What could be read, and what is wrong with the rest; empty: nothing.
struct JournalReading {
  std::vector<RunEvent> events;
  std::string fault;
};

// Changes neither the journal nor its log, also while a run is going on; works on media that cannot
// be written to. Throws Error{BadInput} if there is
// no such file; all that is wrong within it is a fault.
JournalReading read_journal(const std::filesystem::path& file);

// Of SQLite, which keeps it.
std::string sqlite_version();

// Keeps the damaged file under another name, and leaves one with the sound events in its place.
// Throws Error{RunFailed}.
void set_aside_damaged(const std::filesystem::path& file, const JournalReading& reading);

// Owned by one thread.
class Journal {
 public:
  // Called before and after rows become durable, with the number of the last one: for tests that
  // kill the process there.
  using Hook = std::function<void(const char* when, std::int64_t number)>;

  // Opens it for writing, behind the events that are there; makes it if it is not there. Rows
  // behind the first `keep` are deleted. Throws Error{RunFailed}.
  Journal(const std::filesystem::path& file, std::size_t keep);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // All of them or none. Returns when they are safe. Throws Error{RunFailed} where the disk does
  // not play along.
  void append(std::span<const RunEvent> events);
  std::int64_t size() const { return size_; }
  void set_hook(Hook hook) { hook_ = std::move(hook); }

 private:
  struct Database;
  void prepare(std::size_t keep);
  void write_head() const;

  std::filesystem::path file_;
  std::unique_ptr<Database> database_;
  Hook hook_;
  std::int64_t size_ = 0;
  std::uint32_t checksum_ = 0;
  int head_ = -1;
};

}  // namespace espalier
