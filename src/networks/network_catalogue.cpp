// SPDX-License-Identifier: Apache-2.0
#include "networks/network_catalogue.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/near_miss.h"
#include "networks/alexnet.h"
#include "networks/layer_fault.h"
#include "networks/mobilenet.h"
#include "networks/resnet.h"
#include "networks/vgg.h"

namespace espalier {

std::span<const CatalogueNetwork> all_networks() {
  static const CatalogueNetwork networks[] = {
      {"vgg11", "eight 3×3 convolutions with batch norm; 9.2 M parameters", vgg11},
      {"alexnet", "five convolutions, three linear layers; 23.3 M parameters", alexnet},
      {"mobilenetv2", "inverted residuals, depth-wise convolutions; 2.2 M parameters", mobilenetv2},
      {"resnet18", "eight residual blocks; 11.2 M parameters", resnet18},
  };
  return networks;
}

const CatalogueNetwork& network_named(std::string_view name) {
  std::vector<std::string> names;
  for (const CatalogueNetwork& network : all_networks()) {
    if (network.name == name) return network;
    names.push_back(network.name);
  }
  throw Error(ErrorCode::BadInput,
              "unknown network '" + shown_name(name) + "'" + did_you_mean(name, names),
              fmt::format("there are: {}", fmt::join(names, ", ")));
}

Architecture build_network(std::string_view name, const NetworkOptions& options) {
  const CatalogueNetwork& network = network_named(name);
  check(options);
  return network.build(options);
}

}  // namespace espalier
