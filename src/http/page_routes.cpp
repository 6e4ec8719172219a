// SPDX-License-Identifier: Apache-2.0
// The page: a fixed list of files, none of them read from a disk.
#include <fmt/format.h>

#include "http/routes.h"
#include "page/assets.h"

namespace espalier {
namespace {

// Tells versions of a file apart; nobody is kept from making two alike (FNV-1a).
std::string tag_of(std::string_view content) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("\"{:016x}\"", hash);
}

HttpResponse give(const Asset& asset, const std::string& tag, const HttpRequest& request) {
  HttpResponse response;
  response.type = asset.type;
  response.headers = {{"ETag", tag}, {"Cache-Control", "no-cache"}};
  if (request.header("if-none-match") == tag)
    response.status = 304;
  else
    response.body = asset.content;
  return response;
}

}  // namespace

std::vector<Route> page_routes() {
  std::vector<Route> routes;
  for (const Asset& asset : all_assets()) {
    routes.push_back(
        {"GET", asset.path,
         [&asset, tag = tag_of(asset.content)](const HttpRequest& request, const PathParts&) {
           return give(asset, tag, request);
         }});
  }
  return routes;
}

}  // namespace espalier
