// SPDX-License-Identifier: Apache-2.0
// A file without a name, for what is too large for memory: it is gone when it is closed.
#pragma once

#include "io/byte_source.h"

namespace espalier {

// Throws Error{RunFailed} where the disk does not play along. Owned by one thread.
class ScratchFile final : public ByteSource {
 public:
  // On the disk of that folder.
  explicit ScratchFile(const std::filesystem::path& folder);
  ~ScratchFile() override;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Behind what is there.
  void write(std::string_view bytes);
  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<char> bytes) override;
  const std::string& name() const override { return name_; }

 private:
  std::string name_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace espalier
