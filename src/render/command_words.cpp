// SPDX-License-Identifier: Apache-2.0
#include "render/command_words.h"

#include "render/figures.h"
#include "render/text.h"

namespace espalier {

std::string CommandWords::text() const {
  std::string words = shell_word(file);
  for (const std::string& setting : settings) words += " --set " + shell_word(setting);
  for (const std::string& bias : biases) words += " --bias " + shell_word(bias);
  if (!fitted.empty()) words += " --fitted " + shell_word(fitted);
  return words;
}

CommandWords CommandWords::with(const std::string& key, double value) const {
  CommandWords changed = *this;
  std::erase_if(changed.settings, [&](const std::string& s) { return s.starts_with(key + "="); });
  changed.settings.push_back(key + "=" + exact_figure(value));
  return changed;
}

}  // namespace espalier
