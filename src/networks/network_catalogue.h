// SPDX-License-Identifier: Apache-2.0
// The networks that can be named in a scenario. Adding one adds its pair of files and one line in
// network_catalogue.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "networks/architecture.h"
#include "networks/network_builder.h"

namespace espalier {

struct CatalogueNetwork {
  std::string name;     // "vgg11"
  std::string summary;  // one line for people
  Architecture (*build)(const NetworkOptions&);
};

// In the order in which people should meet them.
std::span<const CatalogueNetwork> all_networks();

// Throws Error{BadInput}, with a suggestion, if there is none of that name.
const CatalogueNetwork& network_named(std::string_view name);

// Valid. Throws Error{BadInput} if the name is unknown, the options are out of bounds, or the
// images too small or too large for the network.
Architecture build_network(std::string_view name, const NetworkOptions& options);

}  // namespace espalier
