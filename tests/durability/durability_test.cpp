// SPDX-License-Identifier: Apache-2.0
// What is on the disk before what: a power cut may come at any moment.
#include <algorithm>
#include <sqlite3.h>

#include <gtest/gtest.h>

#include "certificates/certificate_folder.h"
#include "durability/watched_disk.h"
#include "fakes/run_of_fakes.h"
#include "io/durable_write.h"
#include "objects/file_object_store.h"
#include "orchestrator/checkpoints.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

// What gets its name is flushed before, and its folder at once after. Returns how many do.
int expect_flushed_renames(const std::vector<DiskDeed>& deeds) {
  int renames = 0;
  for (std::size_t i = 0; i < deeds.size(); ++i) {
    if (deeds[i].kind != DiskDeed::Kind::Rename) continue;
    ++renames;
    EXPECT_TRUE(deeds[i].was_safe) << deeds[i].path << " got its name before it was flushed";
    const DiskDeed* next = i + 1 < deeds.size() ? &deeds[i + 1] : nullptr;
    EXPECT_TRUE(next != nullptr && next->kind == DiskDeed::Kind::Flush &&
                next->path == deeds[i].path.parent_path())
        << "the folder of " << deeds[i].path << " was not flushed";
  }
  return renames;
}

bool is_named_like(const DiskDeed& deed, const std::string& part) {
  return deed.kind == DiskDeed::Kind::Rename && contains(deed.path.string(), part);
}

class Durability : public testing::Test {
 protected:
  const TemporaryFolder folder{fs::canonical(fs::temp_directory_path())};
};

TEST_F(Durability, AFileThatNobodyFlushedIsNoticed) {
  const auto deeds = deeds_of([&] { fs::rename(folder.write("a", "x"), folder / "b"); });
  ASSERT_EQ(deeds.size(), 1U);
  EXPECT_FALSE(deeds[0].was_safe);
}

TEST_F(Durability, ShortFilesAreFlushedBeforeTheyGetTheirNames) {
  EXPECT_EQ(expect_flushed_renames(deeds_of([&] { write_durably(folder / "a", "x"); })), 1);
}

TEST_F(Durability, ObjectsAreFlushedBeforeTheyGetTheirNames) {
  EXPECT_EQ(expect_flushed_renames(deeds_of([&] {
              FileObjectStore store(folder / "objects");
              store.add(std::string(100'000, 'x'));
              put_object(store, object_of("in pieces"), "in pieces");
            })),
            2);
}

TEST_F(Durability, CheckpointsAreFlushedBeforeTheyGetTheirNames) {
  FileObjectStore store(folder / "objects");
  const ObjectRef network = store.add(std::string(3'000'000, 'x'));
  make_folder_durably(folder / "models");
  EXPECT_EQ(expect_flushed_renames(
                deeds_of([&] { Checkpoints(folder / "models").keep(store, 1, network, true); })),
            2);
}

TEST_F(Durability, CertificatesAreFlushedBeforeTheyGetTheirNames) {
  EXPECT_GT(expect_flushed_renames(deeds_of([&] {
              const Validity validity =
                  valid_for(std::chrono::days(1), std::chrono::system_clock::now());
              CertificateFolder::create(folder / "c", validity).issue("gold-1", validity);
            })),
            4);
}

TEST_F(Durability, EventsAreOnTheDiskBeforeAnybodyActsOnThem) {
  Journal journal(folder / "journal.db", 0);
  int rows = 0;
  journal.set_hook([&](const std::string& when, std::int64_t) {
    if (when != "after") return;
    ++rows;
    EXPECT_TRUE(is_safe(folder / "journal.db-wal")) << rows;
  });
  for (int i = 0; i < 20; ++i) {
    const std::vector<RunEvent> events{{{0.1 * i}, NodeGone{{"node-" + std::to_string(i)}}}};
    const auto deeds = deeds_of([&] { journal.append(events); });
    EXPECT_GE(deeds.size(), 1U) << "nothing was flushed";
  }
  EXPECT_EQ(rows, 20);
}

// Files of SQLite's main database whose processes cannot share memory, as on some network disks.
int open_without_shared_memory(sqlite3_vfs* files, const char* name, sqlite3_file* file, int flags,
                               int* got) {
  static sqlite3_io_methods methods;
  const int answer = sqlite3_vfs_find("unix")->xOpen(files, name, file, flags, got);
  if (answer != SQLITE_OK || (flags & SQLITE_OPEN_MAIN_DB) == 0) return answer;
  methods = *file->pMethods;
  methods.xShmMap = [](sqlite3_file*, int, int, int, void volatile**) {
    return SQLITE_IOERR_SHMMAP;
  };
  file->pMethods = &methods;
  return answer;
}

// What is said of a journal on such files.
std::string said_on(sqlite3_vfs* files, const std::filesystem::path& file) {
  sqlite3_vfs* const usual = sqlite3_vfs_find(nullptr);
  sqlite3_vfs_register(files, 1);
  std::string said;
  try {
    const Journal journal(file, 0);
  } catch (const Error& error) {
    said = std::string(error.what()) + "; " + error.hint();
  }
  sqlite3_vfs_register(usual, 1);
  return said;
}

TEST_F(Durability, AJournalWithoutItsLogIsRefused) {
  sqlite3_vfs poor = *sqlite3_vfs_find("unix");
  poor.zName = "poor";
  poor.xOpen = open_without_shared_memory;
  sqlite3_vfs* const some[] = {&poor, sqlite3_vfs_find("unix-dotfile")};
  for (sqlite3_vfs* const files : some) {
    const std::string said = said_on(files, folder / (std::string(files->zName) + ".db"));
    EXPECT_TRUE(contains(said, "write-ahead log")) << files->zName << said;
    EXPECT_TRUE(contains(said, "on a disk of this machine")) << files->zName << said;
  }
  sqlite3_vfs_unregister(&poor);
}

TEST_F(Durability, AWholeRunFlushesWhatItKeepsInTheRightOrder) {
  const auto deeds = deeds_of([&] {
    fakes::RunOfFakes run(folder / "run");
    run.begin();
    ASSERT_TRUE(run.finish());
  });
  EXPECT_GT(expect_flushed_renames(deeds), 10);
  for (const char* part :
       {"/models/epoch-0001.safetensors", "/models/best", "/objects/", "/plans/"})
    EXPECT_TRUE(std::ranges::any_of(deeds, [&](const DiskDeed& deed) {
      return is_named_like(deed, part);
    })) << part;
}

}  // namespace
}  // namespace espalier
