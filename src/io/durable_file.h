// SPDX-License-Identifier: Apache-2.0
// Files that are there completely or not at all, whatever is killed at whatever instant.
#pragma once

#include <filesystem>
#include <string_view>

namespace espalier {

// A temporary file beside it, fsync, rename, fsync of the folder. One that is there is replaced.
// Throws Error{RunFailed}; then the old one is still there, and no temporary file.
void write_durably(const std::filesystem::path& path, std::string_view bytes);

// For files that others have written under `written`: fsync, then as above. Same folder only.
void rename_durably(const std::filesystem::path& written, const std::filesystem::path& path);

}  // namespace espalier
