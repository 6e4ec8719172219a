// SPDX-License-Identifier: Apache-2.0
// The assembler copies the files; ESPALIER_WEB is the folder that `npm run build` fills.
#include "page/assets.h"

// clang-format off
#define ESPALIER_EMBED(name, file)                   \
  asm(".section .rodata\n"                           \
      ".global espalier_" #name "_begin\n"           \
      "espalier_" #name "_begin:\n"                  \
      ".incbin \"" ESPALIER_WEB "/" file "\"\n"      \
      ".global espalier_" #name "_end\n"             \
      "espalier_" #name "_end:\n"                    \
      ".previous\n");                                \
  extern "C" const char espalier_##name##_begin[];   \
  extern "C" const char espalier_##name##_end[]
// clang-format on

ESPALIER_EMBED(index_html, "index.html");
ESPALIER_EMBED(app_js, "assets/app.js");
ESPALIER_EMBED(app_css, "assets/app.css");
ESPALIER_EMBED(icon_svg, "icon.svg");

#define ESPALIER_EMBEDDED(name)             \
  std::string_view(espalier_##name##_begin, \
                   static_cast<std::size_t>(espalier_##name##_end - espalier_##name##_begin))

namespace espalier {

const std::vector<Asset>& all_assets() {
  static const std::vector<Asset> assets{
      {"/", "text/html; charset=utf-8", ESPALIER_EMBEDDED(index_html)},
      {"/assets/app.js", "text/javascript; charset=utf-8", ESPALIER_EMBEDDED(app_js)},
      {"/assets/app.css", "text/css; charset=utf-8", ESPALIER_EMBEDDED(app_css)},
      {"/icon.svg", "image/svg+xml", ESPALIER_EMBEDDED(icon_svg)},
  };
  return assets;
}

bool has_page() { return true; }

}  // namespace espalier
