// SPDX-License-Identifier: Apache-2.0
#include "orchestrator/streamed_average.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/error.h"
#include "io/model_file.h"
#include "networks/parameters.h"
#include "orchestrator/stored_object.h"

namespace espalier {
namespace {

// An update that is read tensor by tensor, and its share of the mean.
class Part {
 public:
  Part(const ObjectStore& store, const UpdateToCombine& update, double share)
      : source_(store, update.update, "the update of " + update.node.value),
        reader_(source_),
        share_(share) {
    for (const TensorEntry& entry : reader_.entries()) entries_.emplace(entry.name, &entry);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const Architecture& architecture() const { return reader_.architecture(); }
  bool has(const std::string& name) const { return entries_.contains(name); }

  void add_to(std::vector<double>& sum, const std::string& name) {
    const auto entry = entries_.find(name);
    if (entry == entries_.end()) return;
    const Tensor tensor = reader_.read(*entry->second);
    sum.resize(tensor.values.size());
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += share_ * static_cast<double>(tensor.values[i]);
  }

 private:
  StoredObject source_;
  ModelReader reader_;
  std::map<std::string, const TensorEntry*> entries_;
  double share_;
};

using Parts = std::vector<std::unique_ptr<Part>>;

Tensor mean_tensor(const Parts& parts, const std::string& name, const std::vector<int64_t>& shape) {
  std::vector<double> sum;
  for (const auto& part : parts) part->add_to(sum, name);
  Tensor mean{shape, {}};
  mean.values.reserve(sum.size());
  for (const double value : sum) mean.values.push_back(static_cast<float>(value));
  return mean;
}

bool any_has(const Parts& parts, const std::string& name) {
  return std::ranges::any_of(parts, [&](const auto& part) { return part->has(name); });
}

}  // namespace

std::string fault_of_update(const ObjectStore& store, const ObjectRef& update,
                            const Architecture& expected) {
  if (!store.has(update)) return "its update is not there";
  try {
    StoredObject source(store, update, "its update");
    ModelReader reader(source);
    if (reader.architecture() != expected) return "its update is of another architecture";
    std::string fault;
    reader.read_all([&](const std::string& name, const Tensor& tensor) {
      if (fault.empty() &&
          !std::ranges::all_of(tensor.values, [](float value) { return std::isfinite(value); }))
        fault = "its update has values in " + name + " that are no finite numbers";
    });
    return fault;
  } catch (const Error& error) {
    return error.what();
  }
}

Network average_of(const ObjectStore& store, const std::vector<UpdateToCombine>& updates) {
  ESPALIER_CHECK(!updates.empty());
  double total = 0;
  for (const UpdateToCombine& update : updates) total += update.weight;
  Parts parts;
  for (const UpdateToCombine& update : updates)
    parts.push_back(std::make_unique<Part>(store, update, update.weight / total));
  Network mean{parts.front()->architecture(), {}, {}};
  for (const Parameter& parameter : parameters_of(mean.architecture)) {
    mean.weights[parameter.name] = mean_tensor(parts, parameter.name, parameter.shape);
    const std::string momentum = momentum_name(parameter.name);
    if (any_has(parts, momentum))
      mean.momentum[parameter.name] = mean_tensor(parts, momentum, parameter.shape);
  }
  return mean;
}

}  // namespace espalier
