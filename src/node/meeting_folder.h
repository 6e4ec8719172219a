// SPDX-License-Identifier: Apache-2.0
// Short texts that processes of one user share on one machine: a file for each in a private folder,
// so that nobody has to listen. Nobody holds a lock while it reads or writes: who is killed or
// frozen on the way holds up no one.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>

#include "files/descriptor.h"

namespace espalier {

// Lives as long as its leader, who locks it: others find out when that one is gone. Everything
// throws Error{RunFailed} where the disk does not play along. Owned by one thread.
class MeetingFolder {
 public:
  // Rank 0 leads: begins anew, whatever a leader that was killed left there, and takes the folder
  // away in the end. The others wait for it. Throws where another leader is there, nobody comes
  // before it is stopped, or the folder is not one's own.
  MeetingFolder(std::filesystem::path path, int rank, std::chrono::milliseconds patience,
                const std::stop_token& stop = {});
  ~MeetingFolder();
  MeetingFolder(const MeetingFolder&) = delete;
  MeetingFolder& operator=(const MeetingFolder&) = delete;

  // All or nothing.
  void put(const std::string& key, const std::string& value);
  // Nothing where there is none. Throws where the leader is gone.
  std::optional<std::string> look(const std::string& key) const;
  void clear(const std::string& key);

 private:
  void lead();
  bool join();
  void require_leader() const;

  const std::filesystem::path path_;
  const int rank_;
  Descriptor folder_;
  Descriptor lock_;
};

}  // namespace espalier
