// SPDX-License-Identifier: Apache-2.0
// Lets channels that stay stand in for those that go.
//
// Problem: a layer sums up its input channels; without some of them its sums are off.
// Idea: channels are correlated. Least squares predict one that goes from those that stay,
// x_r ≈ m_r + Σ_k B_rk·(x_k − m_k), and every weight on r goes over to them: W_k += B_rk·W_r, at
// each place of the kernel alike. The constant goes into the layer's bias; where it has none, a
// batch norm follows, whose statistics are to be learned anew after pruning. Invariant: what the
// layer gives is the best linear approximation of what it gave, up to the borders of images.
// Complexity: per layer one Cholesky factorisation over its kept input channels. References: He,
// Zhang and Sun (2017) re-fit a pruned layer's weights by least squares; here the covariances of
// the input channels suffice, without looking at the outputs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "networks/channel_choice.h"
#include "networks/tensors.h"

namespace espalier {

// Of a layer's input channels, over images and places.
struct ChannelMoments {
  std::vector<double> mean;
  std::vector<double> covariance;  // row by row
};
using InputMoments = std::map<std::string, ChannelMoments>;  // by layer

// The network of the same size that loses less when cut down to the kept channels. Layers without
// moments stay as they are. REQUIRES: a valid network, its kept channels, and as many moments as
// the layers have input channels.
Network absorbed(Network network, const KeptChannels& kept, const InputMoments& moments);

}  // namespace espalier
