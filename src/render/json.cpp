// SPDX-License-Identifier: Apache-2.0
#include "render/json.h"

namespace espalier {
namespace {

std::string written(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::RunFailed:
      return "run_failed";
    case ErrorCode::NotAllowed:
      return "not_allowed";
    case ErrorCode::BadInput:
      return "bad_input";
    case ErrorCode::Bug:
      return "bug";
  }
  return "bug";
}

Json error_of(ErrorCode code, const std::string& message, const std::string& hint) {
  const Json error{{"code", name_of(code)}, {"message", message}, {"hint", hint}};
  return {{"schema_version", 1}, {"status", "error"}, {"error", error}};
}

}  // namespace

std::string ok_document(Json data) {
  return written({{"schema_version", 1}, {"status", "ok"}, {"data", std::move(data)}});
}

std::string error_document(ErrorCode code, const std::string& message, const std::string& hint) {
  return written(error_of(code, message, hint));
}

std::string error_line(ErrorCode code, const std::string& message, const std::string& hint) {
  return error_of(code, message, hint).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json source_json(const EnergySource& source) {
  return {{"provenance", name_of(source.provenance)}, {"source", source.source}};
}

}  // namespace espalier
