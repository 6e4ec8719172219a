// SPDX-License-Identifier: Apache-2.0
// Changes a document before it is interpreted: --set goal.loss=0.2.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/document.h"
#include "io/report.h"

namespace espalier {

// One `--set goal.loss=0.2`: replaces (or adds) a value before the file is interpreted.
// The key is a path: names after dots, positions in brackets, as in run[0].learn.rate. The value is
// YAML.
struct Setting {
  std::string key;
  std::string value;
};

// Missing maps on the way are made, so whether a key is known is for the reader to say. Reports a
// key that is no path, a path that leads nowhere, and a value that is no YAML. Setting i gets
// source i + 1.
void apply_settings(DocumentNode& root, std::span<const Setting> settings, Report& report);

// What the sources are called in messages: the file, then "--set goal.loss" for each setting.
std::vector<std::string> source_names(const std::string& file, std::span<const Setting> settings);

// Where `path` leads: the last thing on the way that exists.
Mark mark_of(const DocumentNode& root, std::string_view path);

}  // namespace espalier
