// SPDX-License-Identifier: Apache-2.0
// Short files and folders that are there completely or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace espalier {

// Replaces what was there. Throws Error{RunFailed}; then the old file is still there.
void write_durably(const std::filesystem::path& path, std::string_view bytes);

// Makes the folder and those above it, where they are not there yet. Throws Error{RunFailed}.
void make_folder_durably(const std::filesystem::path& folder);

}  // namespace espalier
