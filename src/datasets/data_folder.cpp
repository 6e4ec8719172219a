// SPDX-License-Identifier: Apache-2.0
#include "datasets/data_folder.h"

#include <cstdlib>

#include "core/error.h"

namespace espalier {
namespace {

std::optional<std::string> process_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::filesystem::path path_in(const Environment& environment, const char* name) {
  return environment(name).value_or("");
}

}  // namespace

std::filesystem::path data_folder_in(const Environment& environment) {
  const auto own = path_in(environment, "ESPALIER_DATA");
  if (!own.empty()) return own;
  // The XDG specification asks to ignore relative paths.
  const auto shared = path_in(environment, "XDG_DATA_HOME");
  if (shared.is_absolute()) return shared / "espalier";
  const auto home = path_in(environment, "HOME");
  if (!home.empty()) return home / ".local" / "share" / "espalier";
  throw Error(ErrorCode::BadInput, "no folder for data sets: neither ESPALIER_DATA nor HOME is set",
              "set ESPALIER_DATA to a folder");
}

std::filesystem::path default_data_folder() { return data_folder_in(process_variable); }

}  // namespace espalier
