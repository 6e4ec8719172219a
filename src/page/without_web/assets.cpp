// SPDX-License-Identifier: Apache-2.0
#include "page/assets.h"

namespace espalier {
namespace {

constexpr std::string_view kPlainPage = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Espalier</title></head>
<body>
<h1>Espalier</h1>
<p>This program was built without its page. The API works: <a href="/api/v1/examples">/api/v1/examples</a>,
<a href="/api/v1/runs">/api/v1/runs</a>, <a href="/metrics">/metrics</a>; docs/openapi.yaml describes it.</p>
<p>To build the page too (it takes Node.js and npm):</p>
<pre>scripts/setup page
scripts/build release
build/release/espalier serve</pre>
</body>
</html>
)";

}  // namespace

const std::vector<Asset>& all_assets() {
  static const std::vector<Asset> assets{{"/", "text/html; charset=utf-8", kPlainPage}};
  return assets;
}

bool has_page() { return false; }

}  // namespace espalier
