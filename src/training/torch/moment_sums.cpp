// SPDX-License-Identifier: Apache-2.0
#include "training/torch/moment_sums.h"

#include <variant>

#include "networks/channel_groups.h"

namespace espalier {
namespace {

bool mixes_channels(const LayerKind& kind) {
  const auto* convolution = std::get_if<Convolution>(&kind);
  return convolution != nullptr ? !convolution->depthwise : std::holds_alternative<Linear>(kind);
}

std::vector<double> values_of(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  const double* values = flat.data_ptr<double>();
  return {values, values + flat.numel()};
}

}  // namespace

MomentSums::MomentSums(const Architecture& architecture) : sums_(architecture.layers.size()) {
  const ChannelGroups groups(architecture);
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Layer& layer = architecture.layers[i];
    const ChannelGroup& group = groups[groups.group_of(layer.inputs.front())];
    if (!mixes_channels(layer.kind) || !group.is_prunable) continue;
    sums_[i] = Sums{.layer = layer.name, .channels = group.channels};
  }
}

void MomentSums::add(LayerId layer, const at::Tensor& input) {
  std::optional<Sums>& sums = sums_[static_cast<std::size_t>(layer.index)];
  if (!sums) return;
  // Channel by channel: all places of all images.
  const at::Tensor values = input.reshape({input.size(0), sums->channels, -1})
                                .transpose(0, 1)
                                .reshape({sums->channels, -1});
  const at::Tensor firsts = values.sum(1).to(at::kDouble);
  const at::Tensor products = values.matmul(values.t()).to(at::kDouble);
  sums->count += static_cast<double>(values.size(1));
  sums->firsts = sums->firsts.defined() ? sums->firsts.add(firsts) : firsts;
  sums->products = sums->products.defined() ? sums->products.add(products) : products;
}

InputMoments MomentSums::moments() const {
  InputMoments moments;
  for (const std::optional<Sums>& sums : sums_) {
    if (!sums || sums->count == 0) continue;
    const at::Tensor mean = sums->firsts.div(sums->count);
    const at::Tensor covariance = sums->products.div(sums->count).sub(mean.outer(mean));
    moments[sums->layer] = {values_of(mean), values_of(covariance)};
  }
  return moments;
}

}  // namespace espalier
