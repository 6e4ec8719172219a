// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/journal.h"

#include <charconv>
#include <fcntl.h>
#include <fstream>
#include <sqlite3.h>
#include <sstream>
#include <unistd.h>
#include <zlib.h>

#include <fmt/format.h>

#include "core/error.h"
#include "orchestrator/event_json.h"
#include "orchestrator/journal_copy.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY, event TEXT NOT NULL, "
    "checksum INTEGER NOT NULL) STRICT";

std::uint32_t chained(std::uint32_t before, std::int64_t number, std::string_view text) {
  const std::string head = fmt::format("{} {} ", before, number);
  uLong sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(head.data()), head.size());
  sum = ::crc32_z(sum, reinterpret_cast<const Bytef*>(text.data()), text.size());
  return static_cast<std::uint32_t>(sum);
}

fs::path head_of(const fs::path& file) {
  fs::path head = file;
  return head += ".head";
}

// "17 3735928559\n": how many rows there were, and the checksum of the last.
struct Head {
  std::int64_t size = 0;
  std::uint32_t checksum = 0;
};

std::optional<Head> read_head(const fs::path& file) {
  std::ifstream input(head_of(file));
  Head head;
  std::uint32_t own = 0;
  if (!(input >> head.size >> head.checksum >> own)) return std::nullopt;
  return own == chained(head.checksum, head.size, "head") ? std::optional(head) : std::nullopt;
}

// Statements and their errors.
class Statement {
 public:
  Statement(sqlite3* database, const char* text) : database_(database) {
    check(sqlite3_prepare_v2(database, text, -1, &statement_, nullptr));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int position, std::int64_t value) {
    check(sqlite3_bind_int64(statement_, position, value));
  }
  void bind(int position, std::string_view text) {
    check(sqlite3_bind_text(statement_, position, text.data(), static_cast<int>(text.size()),
                            SQLITE_TRANSIENT));
  }
  // Whether there is a row.
  bool step() {
    const int answer = sqlite3_step(statement_);
    if (answer != SQLITE_ROW && answer != SQLITE_DONE) check(answer);
    return answer == SQLITE_ROW;
  }
  void reset() { sqlite3_reset(statement_); }
  std::int64_t whole(int column) { return sqlite3_column_int64(statement_, column); }
  std::string_view text(int column) {
    const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return {bytes != nullptr ? bytes : "",
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  void check(int answer) const {
    if (answer == SQLITE_OK) return;
    throw Error(ErrorCode::RunFailed, sqlite3_errmsg(database_),
                answer == SQLITE_FULL || answer == SQLITE_IOERR
                    ? "make room on the disk; 'espalier resume' goes on from the last event"
                    : "");
  }

  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
};

// SQLite minds links above the folder, too; those are nobody's business.
fs::path with_folder_resolved(const fs::path& file) {
  std::error_code failure;
  const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : ".", failure);
  return failure ? file : folder / file.filename();
}

sqlite3* open_database(const fs::path& file, int flags) {
  sqlite3* database = nullptr;
  const int answer = sqlite3_open_v2(with_folder_resolved(file).c_str(), &database,
                                     flags | SQLITE_OPEN_NOFOLLOW, nullptr);
  if (answer == SQLITE_OK) {
    sqlite3_busy_timeout(database, 5000);
    return database;
  }
  const std::string why = database != nullptr ? sqlite3_errmsg(database) : "out of memory";
  sqlite3_close(database);
  throw Error(ErrorCode::RunFailed, file.string() + ": " + why,
              "check the folder, its permissions and the space on the disk");
}

void execute(sqlite3* database, const char* text) { Statement(database, text).step(); }

std::string answer_of(sqlite3* database, const char* question) {
  Statement statement(database, question);
  return statement.step() ? std::string(statement.text(0)) : "";
}

// Some file systems have no memory that processes share, which a log needs. (SQLITE_IOERR_SHMSIZE
// is a disk that is full.)
bool is_without_shared_memory(sqlite3* database) {
  const int why = sqlite3_extended_errcode(database);
  return why == SQLITE_IOERR_SHMOPEN || why == SQLITE_IOERR_SHMLOCK || why == SQLITE_IOERR_SHMMAP;
}

// SQLite may say nothing where it cannot do so, and go on with less; or find out later.
bool is_durable(sqlite3* database) {
  try {
    execute(database, "PRAGMA synchronous=FULL");
    if (answer_of(database, "PRAGMA journal_mode=WAL") != "wal") return false;
    execute(database, "BEGIN IMMEDIATE");
    execute(database, "ROLLBACK");
  } catch (const Error&) {
    if (!is_without_shared_memory(database)) throw;
    return false;
  }
  return answer_of(database, "PRAGMA synchronous") == "2";
}

void demand_durability(sqlite3* database) {
  if (is_durable(database)) return;
  throw Error(ErrorCode::RunFailed, "SQLite cannot have a write-ahead log on this file system",
              "put the folder of the run on a disk of this machine");
}

// Made, and then the process was killed or the disk full before there was a table for events.
bool was_never_used(const fs::path& file) {
  constexpr std::uintmax_t kPage = 4096;
  std::error_code unknown;
  return !fs::exists(head_of(file), unknown) && fs::file_size(file, unknown) <= kPage;
}

// Reads rows as long as they are sound.
class RowReader {
 public:
  explicit RowReader(const fs::path& file) : name_(file.filename().string()) {}

  void read_all(sqlite3* database) {
    Statement rows(database, "SELECT number, event, checksum FROM events ORDER BY number");
    while (reading_.fault.empty() && rows.step())
      add(rows.whole(0), rows.text(1), static_cast<std::uint32_t>(rows.whole(2)));
  }

  void compare(const std::optional<Head>& head) {
    const auto size = static_cast<std::int64_t>(reading_.events.size());
    if (!reading_.fault.empty() || !head || head->size <= size) return;
    fault(fmt::format("{} rows are missing at its end", head->size - size));
  }

  void fault(const std::string& what) { reading_.fault = name_ + " is damaged: " + what; }

  JournalReading reading() && { return std::move(reading_); }

 private:
  void add(std::int64_t number, std::string_view text, std::uint32_t checksum) {
    const auto expected = static_cast<std::int64_t>(reading_.events.size()) + 1;
    if (number != expected) return fault(fmt::format("row {} is missing", expected));
    if (checksum != chained(checksum_, number, text))
      return fault(fmt::format("the checksum of row {} is wrong", number));
    try {
      reading_.events.push_back(parse_event(text, fmt::format("{}: row {}", name_, number)));
    } catch (const Error& error) {
      return fault(error.what());
    }
    checksum_ = checksum;
  }

  std::string name_;
  JournalReading reading_;
  std::uint32_t checksum_ = 0;
};

}  // namespace

struct Journal::Database {
  explicit Database(const fs::path& file)
      : handle(open_database(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)) {}
  ~Database() { sqlite3_close(handle); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  sqlite3* handle;
};

namespace {

fs::path log_of(const fs::path& file) { return fs::path(file) += "-wal"; }

// Whoever closes a database last moves its log into it, also one who only reads after a kill -9.
// A log that was not there, or was empty, is one's own, and goes again.
void leave_log_alone(sqlite3* database, const fs::path& file) {
  std::error_code none;
  const auto size = fs::file_size(log_of(file), none);
  if (!none && size > 0) sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

JournalReading read_in_place(const fs::path& file) {
  RowReader reader(file);
  sqlite3* database = nullptr;
  try {
    database = open_database(file, SQLITE_OPEN_READWRITE);
    leave_log_alone(database, file);
    const std::optional<Head> head = read_head(file);  // before the rows: it may only lag behind
    reader.read_all(database);
    reader.compare(head);
  } catch (const Error& error) {
    if (!was_never_used(file)) reader.fault(error.what());
  }
  sqlite3_close(database);
  return std::move(reader).reading();
}

bool is_writable(const fs::path& folder) {
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace

JournalReading read_journal(const fs::path& file) {
  std::error_code unknown;
  if (!fs::exists(file, unknown))
    throw Error(ErrorCode::BadInput, file.string() + ": there is no journal here",
                "name the folder of a run");
  JournalReading reading = read_in_place(file);
  if (reading.fault.empty() || is_writable(file.parent_path())) return reading;
  // SQLite may have wanted to make files beside it.
  const JournalCopy copy(file);
  return copy.is_complete() ? read_in_place(copy.file()) : reading;
}

std::string sqlite_version() { return sqlite3_libversion(); }

// The head goes last: whoever is killed on the way leaves a journal that is still said to be
// damaged.
void set_aside_damaged(const fs::path& file, const JournalReading& reading) {
  std::error_code ignored;
  for (const char* part : {"", "-wal", ".head"}) {
    fs::path to = file;
    to += std::string(".damaged") + part;
    fs::copy_file(fs::path(file) += part, to, fs::copy_options::overwrite_existing, ignored);
  }
  const fs::path sound = fs::path(file) += ".sound";
  for (const char* part : {"", "-wal", "-shm", ".head"})
    fs::remove(fs::path(sound) += part, ignored);
  Journal(sound, 0).append(reading.events);
  for (const char* part : {"-wal", "-shm"}) fs::remove(fs::path(file) += part, ignored);
  std::error_code failure;
  fs::rename(sound, file, failure);
  if (!failure) fs::rename(head_of(sound), head_of(file), failure);
  if (failure) throw Error(ErrorCode::RunFailed, file.string() + ": " + failure.message());
}

Journal::Journal(const fs::path& file, std::size_t keep)
    : file_(file), database_(std::make_unique<Database>(file)) {
  try {
    prepare(keep);
  } catch (const Error& error) {
    throw Error(error.code(), file_.string() + " cannot be written: " + error.what(), error.hint());
  }
  head_ = ::open(head_of(file).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  write_head();
}

void Journal::prepare(std::size_t keep) {
  demand_durability(database_->handle);
  execute(database_->handle, kSchema);
  Statement drop(database_->handle, "DELETE FROM events WHERE number > ?");
  drop.bind(1, static_cast<std::int64_t>(keep));
  drop.step();
  Statement last(database_->handle,
                 "SELECT number, checksum FROM events ORDER BY number DESC LIMIT 1");
  if (last.step()) {
    size_ = last.whole(0);
    checksum_ = static_cast<std::uint32_t>(last.whole(1));
  }
  ESPALIER_CHECK(size_ == static_cast<std::int64_t>(keep));
}

Journal::~Journal() {
  if (head_ >= 0) ::close(head_);
}

void Journal::append(std::span<const RunEvent> events) {
  if (events.empty()) return;
  const auto last = size_ + static_cast<std::int64_t>(events.size());
  if (hook_) hook_("before", last);
  sqlite3* handle = database_->handle;
  std::uint32_t checksum = checksum_;
  try {
    execute(handle, "BEGIN IMMEDIATE");
    Statement insert(handle, "INSERT INTO events (number, event, checksum) VALUES (?, ?, ?)");
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::int64_t number = size_ + static_cast<std::int64_t>(i) + 1;
      const std::string text = event_text(events[i]);
      checksum = chained(checksum, number, text);
      insert.bind(1, number);
      insert.bind(2, text);
      insert.bind(3, static_cast<std::int64_t>(checksum));
      insert.step();
      insert.reset();
    }
    execute(handle, "COMMIT");
  } catch (const Error& error) {
    sqlite3_exec(handle, "ROLLBACK", nullptr, nullptr, nullptr);
    throw Error(ErrorCode::RunFailed, file_.string() + " cannot be written: " + error.what(),
                error.hint());
  }
  size_ = last;
  checksum_ = checksum;
  write_head();
  if (hook_) hook_("after", last);
}

// Not flushed: it need not survive more than a killed process, and may only lag behind.
void Journal::write_head() const {
  if (head_ < 0) return;
  const std::string text =
      fmt::format("{:>12} {:>10} {:>10}\n", size_, checksum_, chained(checksum_, size_, "head"));
  [[maybe_unused]] const auto written = ::pwrite(head_, text.data(), text.size(), 0);
}

}  // namespace espalier
