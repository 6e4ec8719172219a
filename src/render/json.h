// SPDX-License-Identifier: Apache-2.0
// The envelope of everything a machine is told.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/provenance.h"

namespace espalier {

// Keeps the order of its keys. Numbers are written in full precision; infinity becomes null.
using Json = nlohmann::ordered_json;

// {"schema_version":1,"status":"ok","data":…}
std::string ok_document(Json data);

// {"schema_version":1,"status":"error","error":{"code","message","hint"}}
std::string error_document(ErrorCode code, const std::string& message, const std::string& hint);
// The same on one line.
std::string error_line(ErrorCode code, const std::string& message, const std::string& hint);

// What comes beside an energy: {"provenance","source"}.
Json source_json(const EnergySource& source);

}  // namespace espalier
