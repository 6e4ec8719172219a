// SPDX-License-Identifier: Apache-2.0
#include "bare_loop.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <torch/torch.h>

namespace espalier::bench {
namespace {

torch::nn::Sequential vgg11(double width, int64_t channels) {
  torch::nn::Sequential net;
  for (const int64_t step : {64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0}) {
    if (step == 0) {
      net->push_back(torch::nn::MaxPool2d(2));
      continue;
    }
    const auto out = static_cast<int64_t>(static_cast<double>(step) * width);
    net->push_back(
        torch::nn::Conv2d(torch::nn::Conv2dOptions(channels, out, 3).padding(1).bias(false)));
    net->push_back(torch::nn::BatchNorm2d(out));
    net->push_back(torch::nn::ReLU(torch::nn::ReLUOptions(true)));
    channels = out;
  }
  net->push_back(torch::nn::Flatten());
  net->push_back(torch::nn::Linear(channels, 10));
  return net;
}

struct FloatBatch {
  torch::Tensor images;
  torch::Tensor labels;
};

std::vector<FloatBatch> float_batches(const Images& images, int batch) {
  const auto count = static_cast<int64_t>(images.size());
  auto* const bytes = const_cast<uint8_t*>(images.pixels.data());
  const torch::Tensor all =
      torch::from_blob(bytes, {count, images.channels, images.height, images.width}, torch::kUInt8)
          .to(torch::kFloat)
          .div_(255)
          .sub_(0.5)
          .div_(0.25);
  const std::vector<int64_t> labels(images.labels.begin(), images.labels.end());
  std::vector<FloatBatch> batches;
  for (int64_t first = 0; first < count; first += batch) {
    const int64_t last = std::min<int64_t>(first + batch, count);
    batches.push_back(
        {all.slice(0, first, last).contiguous(torch::MemoryFormat::ChannelsLast),
         torch::tensor(std::vector<int64_t>(labels.begin() + first, labels.begin() + last))});
  }
  return batches;
}

}  // namespace

struct BareLoop::State {
  int threads;
  torch::nn::Sequential net;
  std::vector<FloatBatch> batches;
  torch::optim::SGD sgd;
};

BareLoop::BareLoop(const Images& images, const BareOptions& options) {
  torch::nn::Sequential net = vgg11(options.width, images.channels);
  for (torch::Tensor& parameter : net->parameters()) {
    if (parameter.dim() == 4) {
      parameter.set_data(parameter.data().contiguous(torch::MemoryFormat::ChannelsLast));
    }
  }
  state_ = std::make_unique<State>(
      State{options.threads, net, float_batches(images, options.batch),
            torch::optim::SGD(net->parameters(), torch::optim::SGDOptions(1e-3).momentum(0.9))});
}

BareLoop::~BareLoop() = default;

double BareLoop::epoch() {
  torch::set_num_threads(state_->threads);
  double sum = 0;
  for (const FloatBatch& batch : state_->batches) {
    state_->sgd.zero_grad();
    const torch::Tensor loss =
        torch::nn::functional::cross_entropy(state_->net->forward(batch.images), batch.labels);
    loss.backward();
    state_->sgd.step();
    sum += loss.item<double>();
  }
  return sum / static_cast<double>(state_->batches.size());
}

}  // namespace espalier::bench
