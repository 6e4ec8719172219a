// SPDX-License-Identifier: Apache-2.0
#include "node/torch/gloo_group.h"

#include <ATen/ops/from_blob.h>

#include "core/error.h"

namespace espalier {
namespace {

// Whatever the library throws means that somebody is gone, or says nothing.
template <class Work>
auto in_group(const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::RunFailed,
                std::string("a process of the group is gone or silent: ") + error.what());
  }
}

c10::intrusive_ptr<c10d::ProcessGroupGloo> formed(const c10::intrusive_ptr<c10d::Store>& store,
                                                  const GlooPlace& place) {
  using Group = c10d::ProcessGroupGloo;
  auto options = Group::Options::create(place.patience);
  options->devices.push_back(Group::createDeviceForHostname(place.address));
  return c10::make_intrusive<Group>(store, place.rank, place.size, options);
}

}  // namespace

GlooGroup::GlooGroup(const c10::intrusive_ptr<c10d::Store>& store, const GlooPlace& place)
    : place_(place), group_(in_group([&] { return formed(store, place); })) {}

void GlooGroup::add_up(std::span<float> values) {
  in_group([&] {
    std::vector<at::Tensor> all{
        at::from_blob(values.data(), {static_cast<int64_t>(values.size())}, at::kFloat)};
    group_->allreduce(all)->wait();
  });
}

void GlooGroup::hand_out(std::string& bytes) {
  in_group([&] {
    std::vector<at::Tensor> all{
        at::from_blob(bytes.data(), {static_cast<int64_t>(bytes.size())}, at::kByte)};
    group_->broadcast(all)->wait();
  });
}

}  // namespace espalier
