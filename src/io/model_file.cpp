// SPDX-License-Identifier: Apache-2.0
#include "io/model_file.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "io/architecture_json.h"
#include "io/byte_source.h"
#include "io/durable_file.h"
#include "io/tensor_file.h"
#include "networks/cost.h"
#include "networks/parameters.h"
#include "networks/validation.h"

namespace espalier {
namespace {

constexpr const char* kMomentum = "momentum/";
constexpr TensorFileKind kModelFile{"espalier-network-1", "architecture", "a model"};

[[noreturn]] void bad_model(const std::string& source, const std::string& what,
                            const std::string& hint = {}) {
  throw Error(ErrorCode::BadInput, source + ": " + what, hint);
}

std::vector<NamedTensor> tensors_of(const Network& network) {
  std::vector<NamedTensor> all;
  for (const auto& [name, tensor] : network.weights) all.push_back({name, &tensor});
  for (const auto& [name, tensor] : network.momentum) all.push_back({kMomentum + name, &tensor});
  return all;
}

void place_tensor(Network& network, std::string_view name, Tensor tensor) {
  const std::string_view prefix(kMomentum);
  const bool is_momentum = name.starts_with(prefix);
  Tensors& tensors = is_momentum ? network.momentum : network.weights;
  tensors.emplace(is_momentum ? name.substr(prefix.size()) : name, std::move(tensor));
}

void validate_from(const Network& network, const std::string& source) {
  try {
    validate(network);
  } catch (const Error& error) {
    bad_model(source, error.what(), error.hint());
  }
}

// Before any of it is in memory. Weights and momentum are at most twice the parameters.
void check_data_size(const Architecture& architecture, uint64_t size, const std::string& source) {
  if (size / 2 <= static_cast<uint64_t>(bytes_of(architecture))) return;
  bad_model(source, fmt::format("{} bytes of tensors, more than the network has", size),
            "weights of another network?");
}

Network read_model(ByteSource& source) {
  TensorFileReader file(kModelFile, source);
  Network network{architecture_from_json(file.subject(), source.name()), {}, {}};
  check_data_size(network.architecture, file.data_size(), source.name());
  for (auto& [name, tensor] : file.read()) place_tensor(network, name, std::move(tensor));
  validate_from(network, source.name());
  return network;
}

// That the tensors are exactly the parameters, and momentum that of trained ones.
void check_entries(const Architecture& architecture, const std::vector<TensorEntry>& entries,
                   const std::string& source) {
  std::map<std::string, std::vector<int64_t>> known;
  std::size_t weights = 0;
  for (const Parameter& parameter : parameters_of(architecture)) {
    known.emplace(parameter.name, parameter.shape);
    if (parameter.kind == ParameterKind::Trained)
      known.emplace(momentum_name(parameter.name), parameter.shape);
    ++weights;
  }
  for (const TensorEntry& entry : entries) {
    const auto found = known.find(entry.name);
    if (found == known.end()) bad_model(source, entry.name + " is no tensor of this network");
    if (found->second != entry.shape) bad_model(source, entry.name + " has another shape");
    if (!entry.name.starts_with(kMomentum)) --weights;
  }
  if (weights != 0) bad_model(source, "tensors are missing");
}

}  // namespace

void write_model(const Network& network, const std::function<void(std::string_view)>& write) {
  validate(network);
  write_tensor_file(kModelFile, to_json(network.architecture), tensors_of(network), write);
}

TensorFileFront model_front(const Architecture& architecture,
                            const std::function<bool(const std::string& weight)>& has_momentum) {
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const Parameter& parameter : parameters_of(architecture)) {
    shapes.emplace(parameter.name, parameter.shape);
    if (has_momentum(parameter.name))
      shapes.emplace(momentum_name(parameter.name), parameter.shape);
  }
  return {kModelFile, to_json(architecture), shapes};
}

std::string momentum_name(const std::string& weight) { return kMomentum + weight; }

ModelReader::ModelReader(ByteSource& source)
    : file_(kModelFile, source),
      architecture_(architecture_from_json(file_.subject(), source.name())) {
  check_entries(architecture_, file_.entries(), source.name());
}

std::string model_bytes(const Network& network) {
  std::string bytes;
  write_model(network, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

Network model_from_bytes(std::string_view bytes, const std::string& source) {
  BufferSource buffer(bytes, source);
  return read_model(buffer);
}

void save_model(const Network& network, const std::filesystem::path& path) {
  DurableFile file(path);
  write_model(network, [&](std::string_view piece) { file.write(piece); });
  file.commit();
}

Network load_model(const std::filesystem::path& path) {
  FileSource file(path);
  return read_model(file);
}

}  // namespace espalier
